import type { Client } from '@langchain/langgraph-sdk'
import { sdkClients } from '../../fixtures/sdk-clients.ts'
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

/** The public methods of a client, for example `threads.getState`. */
export function methodsOf(clientClass: typeof Client): string[] {
  const parts = Object.entries(new clientClass({ apiUrl: 'http://mock.test' })).filter(
    // The part `~ui` is internal.
    ([name, part]) => typeof part === 'object' && !name.startsWith('~'),
  )
  return parts.flatMap(([name, part]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(part))
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  )
}

/** The calls that a version of the client can make. */
export function callsOf(version: string, clientClass: typeof Client): SdkCall[] {
  const methods = methodsOf(clientClass)
  return sdkCalls.filter(({ method, missingIn = [] }) => methods.includes(method) && !missingIn.includes(version))
}

/** What the methods of one client do: `works` or `refused: …`, by method. */
export type Results = Readonly<Record<string, string>>

/** The results of each JavaScript client, by column. Tests make every call. */
export function javaScriptResults(): Record<string, Results> {
  const refused = new Map(sdkCalls.map(({ method, refused }) => [method, refused]))
  const resultOf = (method: string) => [method, refusal(refused.get(method))] as const
  return Object.fromEntries(
    Object.entries(sdkClients).map(([version, clientClass]) => [
      `JavaScript ${version}`,
      Object.fromEntries(methodsOf(clientClass).map(resultOf)),
    ]),
  )
}

function refusal(message: string | undefined): string {
  return message === undefined ? 'works' : `refused: ${message}`
}

/** The table of `docs/reference/sdk-calls.md`: the results of each client, by column. */
export function tableOf(results: Readonly<Record<string, Results>>): string {
  const requests = Map.groupBy(sdkCalls, ({ method }) => method)
  const columns = Object.values(results)
  const rows = [...requests].map(([method, calls]) => [
    `\`${method}\``,
    [...new Set(calls.map(({ request }) => `\`${request}\``))].join('<br>'),
    ...columns.map((column) => column[method] ?? 'not in this version'),
  ])
  const header = ['method', 'request', ...Object.keys(results)]
  const total = [`${rows.length} methods`, '', ...columns.map(counts)]
  return [header, header.map(() => '---'), ...rows, total].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function counts(results: Results): string {
  const cells = Object.values(results)
  const works = cells.filter((cell) => cell === 'works').length
  return `${works} work, ${cells.length - works} refused`
}
