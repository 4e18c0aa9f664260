import { environmentName } from '../../reporters/model/shell.ts'
import { createRedactor, isSecretHeader, type Secret } from './redact.ts'
import type { Redaction } from './trace.ts'

/** A secret in a trace: the name of the environment variable that replaces it. */
export const marked: RegExp = /\[redacted:(\w+)\]/g

/** Creates the redaction of a trace: each secret becomes the name of its environment variable, `[redacted:NAME]`. */
export function traceRedaction(secrets: readonly Secret[]): Redaction {
  const mark = (variable: string) => `[redacted:${variable}]`
  const text = createRedactor(secrets, mark)
  const variables = new Map(secrets.map(({ value, variable }) => [value, variable]))
  return {
    text,
    headers: (headers) =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => {
          const isSecret = isSecretHeader(name, value)
          return [name, isSecret ? mark(variables.get(value) ?? environmentName(name)) : text(value)]
        }),
      ),
  }
}

/** Returns a text of a trace as a report shows it: without the names of variables. */
export function withoutVariables(text: string): string {
  return text.replaceAll(marked, '[redacted]')
}

/** Returns the secrets in texts of a trace, for a shell command with variables in their place. */
export function markedSecrets(...texts: readonly string[]): readonly Secret[] {
  const found = texts.flatMap((text) => [...text.matchAll(marked)])
  return found.map(([value, variable = '']) => ({ value, variable }))
}
