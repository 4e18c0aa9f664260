import type { Wrap } from '../../wrappers/fetch.ts'
import { replace, responses } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'

/** The form of refusals. The refusal of the authentication handler keeps its status, its text and its headers. */
export const errorChoices: readonly Choice[] = choicesOf(undefined, {
  'http.error-status': {
    description: 'The status of refusals, except 401, 429 and responses with `Retry-After`.',
    legal: 'Errors: statuses other than 401 are not shown (errors.*, export.errors.status.*)',
    values: { '400': { wrap: errorStatus(400) }, '404': { wrap: errorStatus(404) }, '418': { wrap: errorStatus(418) } },
  },
  'http.error-body': {
    description: 'The body of refusals.',
    legal: 'errors.body-shape, errors.unauthenticated.body-shape, export.errors.body: not shown',
    values: {
      html: { wrap: errorBody('text/html', (text) => `<html><title>No</title><p>${text}</p></html>`) },
      text: { wrap: errorBody('text/plain', (text) => text) },
      'problem-details': {
        wrap: errorBody('application/problem+json', (text) =>
          JSON.stringify({ id: 'problem-1', title: 'No', detail: text }),
        ),
      },
      nested: { wrap: errorBody('application/json', (text) => JSON.stringify({ error: { message: text, code: 7 } })) },
      'json-text': { wrap: errorBody('application/json', (text) => JSON.stringify(text)) },
      list: { wrap: errorBody('application/json', (text) => JSON.stringify([{ msg: text, loc: ['body'] }])) },
      'upper-case': { wrap: errorBody('text/plain', (text, status) => (status === 401 ? text : text.toUpperCase())) },
    },
  },
})

function errorStatus(status: number): Wrap {
  return responses((response) =>
    response.status >= 400 &&
    response.status < 500 &&
    ![401, 429].includes(response.status) &&
    !response.headers.has('retry-after')
      ? replace(response, { status })
      : response,
  )
}

function errorBody(type: string, render: (message: string, status: number) => string): Wrap {
  return responses(async (response) => {
    if (response.status < 400) return response
    const text = await response.text()
    const detail: unknown = text.startsWith('{') ? Object(JSON.parse(text)).detail : text
    const body = render(typeof detail === 'string' ? detail : text, response.status)
    return replace(response, { body, headers: { 'content-type': type } })
  })
}
