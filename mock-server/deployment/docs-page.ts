/** A page that lists the endpoints of `/openapi.json`. It loads nothing from other servers. */
export const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of this server</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  summary { cursor: pointer; padding: .25rem 0; }
  code, pre { font-family: ui-monospace, monospace; }
  pre { overflow: auto; background: #f4f4f4; color: #222; padding: 1rem; }
</style>
<h1>API of this server</h1>
<p>The complete description is <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<main></main>
<script>
  const add = (parent, name, text) => {
    const element = document.createElement(name)
    element.textContent = text
    return parent.appendChild(element)
  }
  fetch('openapi.json').then((response) => response.json()).then(({ paths }) => {
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const details = add(document.querySelector('main'), 'details', '')
        const summary = add(details, 'summary', '')
        add(summary, 'code', method.toUpperCase() + ' ' + path)
        summary.append(' ' + operation.summary)
        add(details, 'pre', JSON.stringify(operation, null, 2))
      }
    }
  })
</script>
</html>
`
