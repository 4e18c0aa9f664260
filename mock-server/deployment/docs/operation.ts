import { html } from 'hono/html'
import { curl } from '../../http/curl.ts'
import type { Operation, Schemas } from './description.ts'
import { exampleOf, type Field, fieldsOf, type Markup, rulesOf, typeOf } from './schema.ts'

/** An operation with its place in the description. */
export interface Endpoint {
  /** In capitals. */
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Renders an operation, closed. A browser opens it for the anchor inside it, which is the operation id. */
export function renderOperation({ method, path, operation }: Endpoint, origin: string, schemas: Schemas): Markup {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const fields = parameters.map(({ required = false, ...parameter }) => ({ ...parameter, required }))
  return html`<details class="operation">
<summary><h3><b class="method ${method}">${method}</b> <code>${path}</code></h3> <span>${prose(summary)}</span></summary>
<div id="${operationId}" class="opened">
<p class="dim">Operation <a href="#${operationId}">${operationId}</a></p>
${fields.length > 0 && fieldTable('Parameters', fields)}
${
  body !== undefined &&
  html`${fieldTable('Request body', fieldsOf(body.schema))}
<h4>Example of a request body</h4>
${block(JSON.stringify(body.example, null, 2))}`
}
<h4>As curl</h4>
${block(curlOf({ method, path, operation }, origin))}
${responseTable(responses)}
${Object.entries(responses).map(([status, { content }]) => {
  const schema = content?.['application/json']?.schema
  return (
    schema !== undefined &&
    status.startsWith('2') &&
    html`<h4>Response with status ${status}, with example values</h4>
${block(JSON.stringify(exampleOf(schema, schemas), null, 2))}`
  )
})}
</div>
</details>`
}

/** Renders fields with their types. The column with the place is for parameters only. */
export function fieldTable(caption: string, fields: readonly (Field & { readonly in?: string })[]): Markup {
  const hasPlace = fields.some((field) => field.in !== undefined)
  return html`<table class="fields"><caption>${caption}</caption>
<thead><tr><th scope="col">Name</th>${hasPlace && html`<th scope="col" class="in">In</th>`}<th scope="col">Type</th><th scope="col" class="required">Required</th><th scope="col">Description</th></tr></thead>
<tbody>${fields.map(
    ({ name, in: place, schema, required }) =>
      html`<tr><th scope="row"><code>${name}</code></th>${hasPlace && html`<td>${place}</td>`}<td><code>${typeOf(schema)}</code></td><td>${required ? 'required' : ''}</td><td>${rulesOf(schema)}</td></tr>
`,
  )}</tbody></table>`
}

function responseTable(responses: Operation['responses']): Markup {
  return html`<table class="responses"><caption>Responses</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Body</th><th scope="col">Description</th></tr></thead>
<tbody>${Object.entries(responses).map(
    ([status, { description, content = {} }]) =>
      html`<tr><th scope="row"><code>${status}</code></th><td>${Object.entries(content).map(
        ([type, { schema }]) => html`<code>${type === 'application/json' ? typeOf(schema) : type}</code> `,
      )}</td><td>${prose(description)}</td></tr>
`,
  )}</tbody></table>`
}

/** Renders a sentence with code in backticks. */
function prose(text: string): Markup {
  return html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
}

/** Renders a text that keyboards can scroll. */
function block(text: string): Markup {
  return html`<pre tabindex="0">${text}</pre>`
}

/** Returns a command whose parameters are words to replace, such as `THREAD_ID`. */
function curlOf({ method, path, operation }: Endpoint, origin: string): string {
  const { parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.example
  const required = (place: string): [string, string][] =>
    parameters.filter((each) => each.in === place && each.required).map(({ name }) => [name, placeholder(name)])
  const query = new URLSearchParams(required('query'))
  const url = `${origin}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => placeholder(name))}`
  return curl({
    method,
    url: query.size === 0 ? url : `${url}?${query}`,
    headers: {
      ...Object.fromEntries(required('header')),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body,
    streams: Object.values(responses).some(({ content }) => content?.['text/event-stream'] !== undefined),
  })
}

/** @example placeholder('X-API-Key') // 'X_API_KEY' */
function placeholder(name: string): string {
  return name.replaceAll('-', '_').toUpperCase()
}
