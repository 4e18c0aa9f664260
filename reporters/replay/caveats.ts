import { oneLine, plural } from '../model/text.ts'
import { bodyParts, type Places } from './body.ts'
import { type TakenId, withIds } from './ids.ts'
import { redacted } from './request.ts'
import type { Step } from './steps.ts'

/** Most ids that are named. */
const namedAtMost = 5

/** What a replay cannot do as the recorded run did, a line each. */
export function caveats(
  parts: readonly { steps: readonly Step[]; ids: readonly TakenId[] }[],
  places: Places,
): string[] {
  const requests = parts.flatMap(({ steps, ids }) =>
    steps.map(({ exchange }) => {
      const sent = [...withIds(exchange.url, ids, false), ...bodyParts(exchange, ids, places)]
      return { exchange, texts: sent.flatMap((part) => ('text' in part ? [part.text] : [])) }
    }),
  )
  const unexplained = new Set(requests.flatMap(({ texts }) => texts.flatMap((text) => text.match(uuid) ?? [])))
  const exported = requests.filter(
    ({ exchange: { method, url } }) => method === 'POST' && url.endsWith('/bulk-exports'),
  )
  const cut = requests.filter(({ exchange }) => /… \(\d+ characters\)$/.test(exchange.requestBody ?? ''))
  const hidden = requests.filter(({ exchange, texts }) =>
    [...texts, ...Object.values(exchange.requestHeaders).filter((value) => value !== redacted)].some((text) =>
      text.includes(redacted),
    ),
  )
  const silent = requests.filter(({ exchange }) => exchange.error !== undefined)
  return [
    ...(unexplained.size === 0
      ? []
      : [
          `${plural(unexplained.size, 'id')} that no recorded answer gave, made by the check or before: sent as recorded (${named(unexplained)}).`,
        ]),
    ...(cut.length === 0 ? [] : [`${plural(cut.length, 'request body', 'request bodies')} cut in the report.`]),
    ...(hidden.length === 0
      ? []
      : [`${plural(hidden.length, 'request')} with a secret inside another text: put it in place of ${redacted}.`]),
    ...(exported.length === 0
      ? []
      : ['What a driver did, such as runs that it put into the project, and what was read from the bucket.']),
    ...(silent.length === 0
      ? []
      : [
          `${plural(silent.length, 'request')} without a whole answer when it was recorded (${oneLine(silent[0]?.exchange.error ?? '', 200)}).`,
        ]),
  ]
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

function named(ids: ReadonlySet<string>): string {
  const some = [...ids].slice(0, namedAtMost)
  return ids.size > some.length ? `${some.join(', ')}, …` : some.join(', ')
}
