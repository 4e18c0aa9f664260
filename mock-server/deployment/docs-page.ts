/** A page that lists the endpoints of `/openapi.json`. It loads nothing from other servers. */
export const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of this server</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  summary { cursor: pointer; padding: .25rem 0; overflow-wrap: anywhere; }
  code, pre { font-family: ui-monospace, monospace; }
  pre { overflow: auto; background: light-dark(#f3f3f1, #1a1c20); padding: 1rem; }
</style>
<main>
<h1>API of this server</h1>
<p>The complete description is <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p id="problem" role="alert"></p>
<div id="endpoints"></div>
</main>
<script>
  const add = (parent, name, text) => {
    const element = document.createElement(name)
    element.textContent = text
    return parent.appendChild(element)
  }
  const endpoints = document.querySelector('#endpoints')
  const list = ({ paths }) => {
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const details = add(endpoints, 'details', '')
        const summary = add(details, 'summary', '')
        add(summary, 'code', method.toUpperCase() + ' ' + path)
        summary.append(' ' + operation.summary)
        // Scrolled with the arrow keys.
        add(details, 'pre', JSON.stringify(operation, null, 2)).tabIndex = 0
      }
    }
  }
  fetch('openapi.json').then((response) => response.json()).then(list).catch(({ message }) => {
    document.querySelector('#problem').textContent = 'Expected openapi.json, received an error: ' + message
  })
</script>
</html>
`
