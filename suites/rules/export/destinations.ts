import type { Exchange } from '../../model/exchange.ts'
import type { ExportModel } from '../../model/export.ts'
import { namesExport } from '../../values/export/file-path.ts'
import { textAt } from '../../values/json.ts'
import { type Rule, rules, verify, verifyNone } from '../rule.ts'

/**
 * Buckets with destinations of one scenario to which nothing was exported: the last registration, and the keys in each later
 * listing. Other scenarios register destinations whose account cannot delete.
 */
function* onlyRegistered({ destinations, exports, inBucket }: ExportModel) {
  const used = new Set(
    [...exports.values()].map(({ creation }) => textAt(creation.request, 'bulk_export_destination_id')),
  )
  const byBucket = Map.groupBy(destinations.values(), ({ bucket }) => bucket)
  for (const [bucket, all] of byBucket) {
    const creations = all.map(({ creation }) => creation).sort((a, b) => a.sentAt - b.sentAt)
    const [exchange] = creations.slice(-1)
    const isOther = ({ scenario, requirement }: Exchange) =>
      scenario !== exchange?.scenario || requirement !== exchange.requirement
    const isUsed = ({ json }: Exchange) => used.has(textAt(json, 'id'))
    if (exchange === undefined || creations.some(isOther) || creations.some(isUsed)) continue
    const listings = (inBucket.get(bucket) ?? []).flatMap((each) =>
      each.type === 'listing' && each.startedAt >= exchange.endedAt ? [each.objects] : [],
    )
    const keys = listings.map((objects) => objects.map(({ key }) => key))
    const setup = creations.slice(0, -1)
    if (keys.length > 0) yield { exchange, setup, requirement: exchange.requirement, keys }
  }
}

/** A secret of the bucket in a text of the trace. */
const secret = /\[redacted:(TOUCHSTONE_S3_\w+)\]/g

/** Responses, and files of known exports and destinations, with the variables of the secrets that they contain. */
function* texts({ endpoint, exchanges, exports, destinations, observations }: ExportModel) {
  const common = endpoint.commonSecrets ?? []
  const secretsIn = (text: string, place: string) =>
    // Most texts contain none, and some are long.
    (text.includes('[redacted:') ? [...text.matchAll(secret)] : []).flatMap(([, name = '']) =>
      common.includes(name) ? [] : [`the value of ${name} in ${place}`],
    )
  for (const exchange of exchanges) {
    const headers = Object.entries(exchange.headers).flatMap(([name, text]) => secretsIn(text, `the header ${name}`))
    const leaked = [...headers, ...secretsIn(exchange.text, 'the body')]
    // If secrets are too short to be recognized, a response without a secret decides nothing.
    if (exchange.intent !== 'probe' && (leaked.length > 0 || common.length === 0)) yield { exchange, leaked }
  }
  for (const file of observations.filter(({ type }) => type === 'file')) {
    const leaked = secretsIn(JSON.stringify(file), `the file ${'key' in file ? file.key : ''}`)
    if (leaked.length === 0) continue
    const creator =
      [...exports.values()].find(({ id }) => 'key' in file && namesExport(file.key, id)) ??
      [...destinations.values()].find(({ bucket }) => 'bucket' in file && file.bucket === bucket)
    const exchange = creator?.creation
    if (exchange !== undefined) yield { exchange, leaked }
  }
}

/** Rules about the secrets and the test file of destinations. */
export const destinationRules: readonly Rule<ExportModel>[] = [
  ...rules(texts, {
    'export.destination.credentials.not-answered': ({ leaked }) =>
      verifyNone(leaked, 'secrets of the bucket in the response or its files'),
  }),
  ...rules(onlyRegistered, {
    // The scenario lists the bucket until it is empty: the file may be deleted after the response.
    'export.destination.test-file.deleted': ({ requirement, keys }) => {
      // Other accounts cannot delete.
      if (requirement !== 'export.destination.create.accepted') return false
      if (keys.some((each) => each.length === 0)) return undefined
      return verifyNone(keys.at(-1) ?? [], 'objects in the bucket after the registration')
    },
    'export.destination.test-file.written': ({ requirement, keys }, { observations }) => {
      const isKept = observations.some(
        (each) => each.type === 'store-refusal' && each.fault === 'delete-denied' && each.code,
      )
      const isWritten = keys.some((each) => each.length > 0)
      if (requirement !== 'export.destination.test-file.delete-optional' || (!isWritten && !isKept)) return false
      return verify(isWritten, 'objects in the bucket after the registration', 'the test file', 'none')
    },
  }),
]
