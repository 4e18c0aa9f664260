import type { Exchange } from '../model/report.ts'
import { type Part, split } from '../model/shell.ts'
import { type TakenId, withIds } from './ids.ts'
import { redacted } from './request.ts'

/** A text of a body that the environment gives, with what it is. */
export interface Setting {
  variable: string
  what: string
}

/** Where the destinations of a recorded run lay: texts of their bodies, each with its setting. */
export type Places = ReadonlyMap<string, Setting>

/** The bucket, the store and the key ids that registrations of destinations name. */
export function placesOf(exchanges: readonly Exchange[]): Places {
  const places = new Map<string, Setting>()
  for (const exchange of exchanges) {
    const { config, credentials } = Object(parsed(exchange.requestBody))
    const account = secretsOf(exchange).find((one) => one.endsWith(secretKey))
    const named: [unknown, Setting][] = [
      [config?.bucket_name, { variable: 'TOUCHSTONE_S3_BUCKET', what: 'the name of a bucket' }],
      [config?.endpoint_url, { variable: 'TOUCHSTONE_S3_ENDPOINT', what: 'the URL of its store' }],
    ]
    if (account !== undefined) {
      const variable = account.replace(secretKey, '_ACCESS_KEY_ID')
      named.push([credentials?.access_key_id, { variable, what: 'the access_key_id of an account' }])
    }
    for (const [value, setting] of named) {
      if (typeof value === 'string' && value !== '' && !places.has(value)) places.set(value, setting)
    }
  }
  return places
}

/** Whether a request registers a destination, or tries to. */
export function needsBucket({ requestBody = '' }: Exchange, places: Places): boolean {
  return [...places.keys()].some((value) => requestBody.includes(JSON.stringify(value)))
}

/** The body of a request with ids, secrets and the places of destinations as variables. */
export function bodyParts(exchange: Exchange, ids: readonly TakenId[], places: Places): Part[] {
  let parts = withSecrets(exchange)
  for (const [value, { variable }] of places) {
    const quoted = new RegExp(`(?<=")${value.replace(/\W/g, '\\$&')}(?=")`)
    parts = parts.flatMap((part) => split(part, quoted, variable))
  }
  return parts.flatMap((part) => ('text' in part ? withIds(part.text, ids, true) : [part]))
}

/** The settings of a body: its secrets, and where it registers a destination the places of that. */
export function settingsOf(exchange: Exchange, places: Places): Setting[] {
  const parts = withSecrets(exchange)
  const secrets = parts.flatMap((part, index): Setting[] => {
    if ('text' in part) return []
    const before = parts[index - 1]
    const key = before && 'text' in before ? /"(\w+)" *: *"$/.exec(before.text)?.[1] : undefined
    return [{ variable: part.variable, what: `the ${key ?? 'secret'} in a body` }]
  })
  const body = exchange.requestBody ?? ''
  return [...[...places].flatMap(([value, one]) => (body.includes(JSON.stringify(value)) ? [one] : [])), ...secrets]
}

const secretKey = '_SECRET_ACCESS_KEY'

/** A body with its secrets as the variables that the recorded curl line gives them; as it is where it gives others. */
function withSecrets(exchange: Exchange): Part[] {
  const pieces = (exchange.requestBody ?? '').split(redacted)
  const variables = secretsOf(exchange)
  if (pieces.length !== variables.length + 1) return [{ text: exchange.requestBody ?? '' }]
  return pieces.flatMap((text, index) => {
    const variable = variables[index]
    return variable === undefined ? [{ text }] : [{ text }, { variable }]
  })
}

/** The variables that stand for secrets in the body of the recorded curl line, in their order. */
function secretsOf({ curl }: Exchange): string[] {
  const body = curl.split(' --data-binary ')[1] ?? ''
  return [...body.matchAll(/\$\{?(TOUCHSTONE_[A-Z0-9_]+)/g)].map(([, variable = '']) => variable)
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    // Another kind of body, or one that was cut.
    return undefined
  }
}
