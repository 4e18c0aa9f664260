import { expect, test } from 'vitest'
import type { Description } from '../../mock-server/deployment/docs/description.ts'
import { renderDocs } from '../../mock-server/deployment/docs/page.ts'
import { exampleOf } from '../../mock-server/deployment/docs/schema.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { openApiValidator } from '../fixtures/openapi-validator.ts'

test('GET /docs is a page without scripts, with every operation', async () => {
  const mock = createMockServer()
  const response = await mock.fetch('http://mock.test/docs')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/,
  )
  const html = await response.text()
  expect(html).not.toContain('<script')
  const { endpoints } = await openApiValidator(mock)
  const anchors = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id))
  expect(endpoints.filter(({ operation }) => !anchors.has(operation.operationId))).toEqual([])
  const links = Array.from(html.matchAll(/ href="#([^"]+)"/g), ([, id]) => id)
  expect(links.filter((id) => !anchors.has(id))).toEqual([])
})

test('a command goes to the server of the page, with words to replace', async () => {
  const html = await (await createMockServer().fetch('http://127.0.0.1:2024/docs')).text()
  expect(html).toContain(
    `<pre tabindex="0">curl &#39;http://127.0.0.1:2024/store/items?namespace=NAMESPACE&amp;key=KEY&#39;`,
  )
  expect(
    html,
  ).toContain(`<pre tabindex="0">curl -N -X POST &#39;http://127.0.0.1:2024/threads/THREAD_ID/runs/stream&#39; \\
  -H &#39;content-type: application/json&#39; \\
  --data-raw &#39;{`)
})

test.each(['spec', 'agent-server', 'js-dev'] as const)(
  'the examples of responses in the dialect %s are valid',
  async (dialect) => {
    const { description, endpoints, matches } = await openApiValidator(createMockServer({ dialect }))
    const { schemas } = description.components
    const responses = endpoints.flatMap(({ method, path, operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const { schema } = content?.['application/json'] ?? {}
        return schema === undefined ? [] : [{ response: `${method} ${path} ${status}`, schema }]
      }),
    )
    expect(responses.length).toBeGreaterThan(100)
    expect(responses.filter(({ schema }) => !matches(exampleOf(schema, schemas), schema))).toEqual([])
  },
)

test('the page shows the types and limits of fields, and no markup of a description', async () => {
  const description: Description = {
    info: { title: '<b>API</b>' },
    paths: {
      '/items': {
        post: {
          operationId: 'postItems',
          summary: 'Use `<i>`',
          tags: ['Items'],
          requestBody: {
            content: {
              'application/json': {
                example: { note: '</pre>' },
                schema: {
                  properties: {
                    note: { type: ['string', 'null'], maxLength: 9, default: '"' },
                    list: {
                      type: 'array',
                      items: { properties: { size: { type: 'integer', minimum: 1, maximum: 5 } } },
                    },
                  },
                  required: ['note'],
                },
              },
            },
          },
          responses: { '200': { description: 'Done' } },
        },
      },
    },
    components: { schemas: {} },
  }
  const html = String(await renderDocs(description, 'http://mock.test'))
  expect(html).toContain('<h1>&lt;b&gt;API&lt;/b&gt;</h1>')
  expect(html).toContain('<span>Use <code>&lt;i&gt;</code></span>')
  expect(html).toContain('&quot;note&quot;: &quot;&lt;/pre&gt;&quot;')
  const text = html.replaceAll(/<\/t[dh]>/g, ' · ').replaceAll(/<[^>]+>/g, '')
  expect(text).toContain('note · string | null · required · default &quot;\\&quot;&quot;, at most 9 characters')
  expect(text).toContain('list[].size · integer ·  · 1 to 5')
})
