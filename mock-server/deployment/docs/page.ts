import { html, raw } from 'hono/html'
import type { Description } from './description.ts'
import { style } from './generated/docs.ts'
import { type Endpoint, fieldTable, renderOperation } from './operation.ts'
import { fieldsOf, type Markup, schemaId } from './schema.ts'

/** Renders a description as a page without scripts, whose commands send requests to `origin`. */
export function renderDocs({ info, paths, components: { schemas } }: Description, origin: string): Markup {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Endpoint => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = [...Map.groupBy(endpoints, ({ operation }) => operation.tags.join(', '))]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} · Touchstone mock server</title>
<style>${raw(style)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="app">
<header class="bar">
<p class="brand">Touchstone <span>mock server</span></p>
<p><a href="openapi.json">openapi.json</a></p>
</header>
<nav aria-label="Groups"><ul>${groups.map(([name, members]) => link(name, members.length))}${link('Schemas', Object.keys(schemas).length)}</ul></nav>
<main id="content" tabindex="-1">
<h1>${info.title}</h1>
<p class="dim">Open an operation to see its parameters, body and responses. In the commands, replace the words in capitals.</p>
${groups.map(
  ([name, members]) =>
    html`<section id="${anchor(name)}" aria-label="${name}"><h2>${name}</h2>${members.map((endpoint) => renderOperation(endpoint, origin, schemas))}</section>`,
)}
<section id="${anchor('Schemas')}" aria-label="Schemas"><h2>Schemas</h2>${Object.entries(schemas).map(
    ([name, schema]) =>
      html`<details class="operation"><summary><h3><code>${name}</code></h3></summary><div id="${schemaId(name)}" class="opened">${fieldTable(`Fields of ${name}`, fieldsOf(schema))}</div></details>`,
  )}</section>
</main>
</div>
</body>
</html>
`
}

function link(name: string, count: number): Markup {
  return html`<li><a href="#${anchor(name)}">${name}<span class="n">${count}</span></a></li>`
}

/** Returns the anchor of a group. */
function anchor(name: string): string {
  return `group-${name.toLowerCase().replaceAll(' ', '-')}`
}
