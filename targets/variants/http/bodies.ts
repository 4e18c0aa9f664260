import type { Wrap } from '../../wrappers/fetch.ts'
import { isStream, jsonText, objects, replace, responses } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'

/** The form of responses in general. */
export const bodyChoices: readonly Choice[] = choicesOf(undefined, {
  'http.key-order': {
    description: 'The order of the keys of JSON objects.',
    legal: 'RFC 8259, 4: the members of an object have no order',
    values: {
      reversed: { wrap: objects((object) => Object.fromEntries(Object.entries(object).reverse())) },
      sorted: {
        wrap: objects((object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))),
      },
    },
  },
  'http.json-text': {
    description: 'White space and escapes of JSON texts.',
    legal: 'RFC 8259, 2 and 7',
    values: {
      indented: { wrap: jsonText((text) => `\n\n${JSON.stringify(JSON.parse(text), null, 2)}\n`) },
      escaped: { wrap: jsonText((text) => text.replaceAll(strings, escapeString)) },
    },
  },
  'http.success-status': {
    description: 'The status of successful requests that create or change something.',
    legal: 'thread.create.status-code, run.create.status-code, assistant.create.status-code: not shown',
    values: {
      created: { wrap: creationStatus(201, 201) },
      accepted: { wrap: creationStatus(202, 202) },
      mixed: { wrap: creationStatus(201, 202) },
    },
  },
  'http.headers': {
    description: 'Further headers, and parameters of the content type.',
    legal: 'the specification names no headers of responses; parameters belong to a media type (RFC 9110, 8.3.1)',
    values: {
      further: {
        wrap: headers((type) => ({
          'content-type': type,
          'x-request-id': '1',
          etag: '"1"',
          vary: 'origin',
          link: '</>; rel="next"',
        })),
      },
      charset: { wrap: headers((type) => ({ 'content-type': `${type.replace(/;.*/, '')}; Charset=UTF-8` })) },
      'upper-case-type': { wrap: headers((type) => ({ 'content-type': type.replace(/;.*/, '').toUpperCase() })) },
    },
  },
})

/** Strings in JSON. */
const strings = /"(?:[^"\\]|\\.)*"/g

/** Escapes the first character of a string, both halves of a surrogate pair. More escapes would only take longer. */
function escapeString(string: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return string.replace(/^"[^"\\]/u, (start) => start.replaceAll(/[^"]/g, escapeUnit))
}

function creationStatus(created: number, run: number): Wrap {
  return responses((response, { method, url }) => {
    if (!response.ok || method === 'GET' || isStream(response) || url.endsWith('/search')) return response
    return replace(response, { status: url.endsWith('/runs') ? run : created })
  })
}

function headers(change: (type: string) => Readonly<Record<string, string>>): Wrap {
  return responses((response) => replace(response, { headers: change(response.headers.get('content-type') ?? '') }))
}
