import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { combine, everyObject, json } from '../../wrappers/responses.ts'
import { type Behavior, type Choice, choicesOf } from '../choice.ts'
import { isRunList } from './paths.ts'

const uuid = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi
const names = ['id', 'exportRunId', 'bulk_export_destination_id', 'source_bulk_export_id', 'bulk_export_id']

/** The ids of destinations, exports and export runs. */
export const exportIdChoices: readonly Choice[] = choicesOf('export', {
  'export.ids': {
    description: 'The form of the ids of destinations, exports and export runs.',
    legal: 'Export destination, Bulk export: an `id`; its form is not shown',
    values: {
      'upper-case': { wrap: upperCase() },
      numbers,
      'runs-in-each-export': { wrap: runNumbers },
    },
  },
})

/** Shows ids in upper case. Paths of files keep their case. */
function upperCase(): Wrap {
  const shown = ([name, value]: [string, unknown]): [string, unknown] => {
    return [name, names.includes(name) && typeof value === 'string' ? value.toUpperCase() : value]
  }
  return combine(
    requests((text) => text.replace(uuid, (id) => id.toLowerCase())),
    json((body) => everyObject(body, (object) => Object.fromEntries(Object.entries(object).map(shown)))),
  )
}

/** Shows numbers in place of the ids of destinations and exports, also in the keys of files. */
function numbers(): Behavior {
  const ids: string[] = []
  const numberOf = (id: string) => String(ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1)
  const shown = ([name, value]: [string, unknown]): [string, unknown] => {
    return [name, names.includes(name) && typeof value === 'string' ? numberOf(value) : value]
  }
  const number = /(?<=bulk-exports\/(?:destinations\/)?|destination_id":")\d+(?=\/|"|$)/g
  return {
    wrap: combine(
      requests((text) => text.replace(number, (index) => ids[Number(index)] ?? index)),
      json((body) => everyObject(body, (object) => Object.fromEntries(Object.entries(object).map(shown)))),
    ),
    exportPolicies: ({ objectKey }) => ({
      objectKey: (config, { id, ...others }, run) => objectKey(config, { ...others, id: numberOf(id) }, run),
    }),
  }
}

/** Shows numbers, from 1 in each export, in place of the ids of export runs. */
function runNumbers(fetch: Fetch): Fetch {
  const seen = new Map<string, unknown[]>()
  return json((body, request) => {
    if (!isRunList(request) || !Array.isArray(body)) return body
    const ids = seen.get(request.url) ?? []
    seen.set(request.url, ids)
    const numberOf = (id: unknown) => String(ids.includes(id) ? ids.indexOf(id) + 1 : ids.push(id))
    return body.map((run) => (run.id === undefined ? run : { ...run, id: numberOf(run.id) }))
  })(fetch)
}

/** Changes the text of requests, in paths and bodies. */
function requests(change: (text: string) => string): Wrap {
  return (fetch) => async (request) => {
    const { method, headers } = request
    const { origin, pathname, search } = new URL(request.url)
    const body = await request.text()
    const url = `${origin}${change(pathname)}${search}`
    return fetch(new Request(url, { method, headers, ...(body !== '' && { body: change(body) }) }))
  }
}
