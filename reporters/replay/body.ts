import type { Exchange } from '../model/report.ts'
import { redacted } from '../model/secrets.ts'
import { type Part, split } from '../model/shell.ts'
import { type CarriedId, replaceIds } from './ids.ts'

/** An environment variable for a value in a request, with a description of the value. */
export interface Setting {
  variable: string
  description: string
}

/** The bucket settings of a recorded run, by their value. */
export type BucketSettings = ReadonlyMap<string, Setting>

/** Finds the bucket names, store URLs and key ids of the destinations that requests create. */
export function bucketSettings(exchanges: readonly Exchange[]): BucketSettings {
  const settings = new Map<string, Setting>()
  for (const exchange of exchanges) {
    const { config, credentials } = Object(parsed(exchange.requestBody))
    const secretVariable = bodyVariables(exchange).find((variable) => variable.endsWith(secretKeySuffix))
    const candidates: [unknown, Setting][] = [
      [config?.bucket_name, { variable: 'TOUCHSTONE_S3_BUCKET', description: 'the name of a bucket' }],
      [config?.endpoint_url, { variable: 'TOUCHSTONE_S3_ENDPOINT', description: 'the URL of its store' }],
    ]
    if (secretVariable !== undefined) {
      const variable = secretVariable.replace(secretKeySuffix, '_ACCESS_KEY_ID')
      candidates.push([credentials?.access_key_id, { variable, description: 'the access_key_id of an account' }])
    }
    for (const [value, setting] of candidates) {
      if (typeof value === 'string' && value !== '' && !settings.has(value)) settings.set(value, setting)
    }
  }
  return settings
}

/** Whether a request creates a destination, or tries to. */
export function needsBucket({ requestBody = '' }: Exchange, bucket: BucketSettings): boolean {
  return [...bucket.keys()].some((value) => requestBody.includes(JSON.stringify(value)))
}

/** The body of a request, with variables for ids, secrets and bucket settings. */
export function bodyParts(exchange: Exchange, ids: readonly CarriedId[], bucket: BucketSettings): Part[] {
  let parts = replaceSecrets(exchange)
  for (const [value, { variable }] of bucket) {
    const quoted = new RegExp(`(?<=")${value.replace(/\W/g, '\\$&')}(?=")`)
    parts = parts.flatMap((part) => split(part, quoted, variable))
  }
  return parts.flatMap((part) => ('text' in part ? replaceIds(part.text, ids, 'body') : [part]))
}

/** The settings that the body of a request uses: bucket settings and secrets. */
export function bodySettings(exchange: Exchange, bucket: BucketSettings): Setting[] {
  const parts = replaceSecrets(exchange)
  const secrets = parts.flatMap((part, index): Setting[] => {
    if ('text' in part) return []
    const previous = parts[index - 1]
    const key = previous && 'text' in previous ? /"(\w+)" *: *"$/.exec(previous.text)?.[1] : undefined
    return [{ variable: part.variable, description: `the ${key ?? 'secret'} in a body` }]
  })
  const body = exchange.requestBody ?? ''
  const used = [...bucket].flatMap(([value, setting]) => (body.includes(JSON.stringify(value)) ? [setting] : []))
  return [...used, ...secrets]
}

const secretKeySuffix = '_SECRET_ACCESS_KEY'

/** Replaces the secrets in a body with the variables of the recorded curl command. If their numbers differ, none is replaced. */
function replaceSecrets(exchange: Exchange): Part[] {
  const pieces = (exchange.requestBody ?? '').split(redacted)
  const variables = bodyVariables(exchange)
  if (pieces.length !== variables.length + 1) return [{ text: exchange.requestBody ?? '' }]
  return pieces.flatMap((text, index) => {
    const variable = variables[index]
    return variable === undefined ? [{ text }] : [{ text }, { variable }]
  })
}

/** The variables for secrets in the body of the recorded curl command, in order. */
function bodyVariables({ curl }: Exchange): string[] {
  const body = curl.split(' --data-binary ')[1] ?? ''
  return [...body.matchAll(/\$\{?(TOUCHSTONE_[A-Z0-9_]+)/g)].map(([, variable = '']) => variable)
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    // The body is not JSON or was truncated.
    return undefined
  }
}
