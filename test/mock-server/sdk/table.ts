import { assistantCalls } from './assistants.ts'
import type { SdkCall } from './context.ts'
import { cronCalls } from './crons.ts'
import { runCalls } from './runs.ts'
import { storeCalls } from './store.ts'
import { threadCalls } from './threads.ts'

/** Every call of the public SDK's client, in the order of the docs. */
export const sdkCalls: readonly SdkCall[] = [
  ...assistantCalls,
  ...threadCalls,
  ...runCalls,
  ...cronCalls,
  ...storeCalls,
]

/** The title of a call's test. */
export function nameOf({ method, how }: SdkCall): string {
  return how === undefined ? method : `${method}, ${how}`
}

/** The table of `docs/reference/sdk-calls.md`. */
export function tableOf(calls: readonly SdkCall[]): string {
  const rows = calls.map(
    (call) =>
      `| \`${call.method}\`${call.how === undefined ? '' : ` ${call.how}`} | \`${call.request}\` | ${call.works ? 'yes' : 'no'} |`,
  )
  return ['| method | request | works |', '| --- | --- | --- |', ...rows].join('\n')
}
