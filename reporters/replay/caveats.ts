import { redacted } from '../model/secrets.ts'
import { oneLine, plural } from '../model/text.ts'
import { type BucketSettings, bodyParts } from './body.ts'
import { type CarriedId, replaceIds } from './ids.ts'
import type { Step } from './steps.ts'

/** Maximum number of ids that are listed. */
const maxListed = 5

/** Differences between a replay and the recorded run: one line each. */
export function caveats(
  parts: readonly { steps: readonly Step[]; ids: readonly CarriedId[] }[],
  bucket: BucketSettings,
): string[] {
  const requests = parts.flatMap(({ steps, ids }) =>
    steps.map(({ exchange }) => {
      const sent = [...replaceIds(exchange.url, ids, 'url'), ...bodyParts(exchange, ids, bucket)]
      return { exchange, texts: sent.flatMap((part) => ('text' in part ? [part.text] : [])) }
    }),
  )
  const unknownIds = new Set(requests.flatMap(({ texts }) => texts.flatMap((text) => text.match(uuid) ?? [])))
  const exports = requests.filter(({ exchange: { method, url } }) => method === 'POST' && url.endsWith('/bulk-exports'))
  const truncated = requests.filter(({ exchange }) => /… \(\d+ characters\)$/.test(exchange.requestBody ?? ''))
  const embeddedSecrets = requests.filter(({ exchange, texts }) =>
    [...texts, ...Object.values(exchange.requestHeaders).filter((value) => value !== redacted)].some((text) =>
      text.includes(redacted),
    ),
  )
  const incomplete = requests.filter(({ exchange }) => exchange.error !== undefined)
  return [
    ...(unknownIds.size === 0
      ? []
      : [`${plural(unknownIds.size, 'id')} that no recorded response has: sent as recorded (${list(unknownIds)}).`]),
    ...(truncated.length === 0
      ? []
      : [`${plural(truncated.length, 'request body', 'request bodies')} truncated in the report.`]),
    ...(embeddedSecrets.length === 0
      ? []
      : [
          `${plural(embeddedSecrets.length, 'request')} with a secret inside another text: replace ${redacted} with it.`,
        ]),
    ...(exports.length === 0
      ? []
      : ['Actions of a driver, such as adding runs to the project, and reads from the bucket.']),
    ...(incomplete.length === 0
      ? []
      : [
          `${plural(incomplete.length, 'request')} without a complete response in the recorded run (${oneLine(incomplete[0]?.exchange.error ?? '', 200)}).`,
        ]),
  ]
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

function list(ids: ReadonlySet<string>): string {
  const listed = [...ids].slice(0, maxListed)
  return ids.size > listed.length ? `${listed.join(', ')}, …` : listed.join(', ')
}
