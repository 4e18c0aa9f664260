import langgraph from '@langchain/langgraph/package.json' with { type: 'json' }
import type { Client } from '@langchain/langgraph-sdk'
import { sdkClients } from '../../fixtures/sdk-clients.ts'
import { assistantCalls } from './assistants.ts'
import type { SdkCall } from './context.ts'
import { cronCalls } from './crons.ts'
import { remoteGraphCalls } from './remote-graph.ts'
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
export function nameOf({ method, how }: { readonly method: string; readonly how?: string | undefined }): string {
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

/** Columns of a table: what each method of a client does, `works` or `refused: …`. */
export type Columns = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The requests of the methods, and what they do in each JavaScript client. Tests make every call. */
export function javaScriptColumns(): Columns {
  const calls = Map.groupBy(sdkCalls, ({ method }) => method)
  const requests = [...calls].map(([method, calls]) => [
    method,
    [...new Set(calls.map(({ request }) => `\`${request}\``))].join('<br>'),
  ])
  const resultsOf = (clientClass: typeof Client) =>
    methodsOf(clientClass).map((method) => [method, resultOf(calls.get(method)?.[0]?.refused)])
  return {
    request: Object.fromEntries(requests),
    ...Object.fromEntries(
      Object.entries(sdkClients).map(([version, clientClass]) => [
        `JavaScript ${version}`,
        Object.fromEntries(resultsOf(clientClass)),
      ]),
    ),
  }
}

/** What the methods of RemoteGraph do. Tests make every call. */
export function remoteGraphColumns(): Columns {
  const results = remoteGraphCalls.map(({ method, refused }) => [method, resultOf(refused)])
  return { [`JavaScript ${langgraph.version}`]: Object.fromEntries(results) }
}

function resultOf(refusal: string | undefined): string {
  return refusal === undefined ? 'works' : `refused: ${refusal}`
}

/** The tables of `docs/reference/sdk-calls.md`. */
export function tablesOf(clients: Columns, remoteGraphs: Columns): string[] {
  return [tableOf('method of `Client`', clients), tableOf('method of `RemoteGraph`', remoteGraphs)]
}

function tableOf(title: string, columns: Columns): string {
  const methods = new Set(Object.values(columns).flatMap(Object.keys))
  const rows = [...methods].map((method) => [
    `\`${method}\``,
    ...Object.values(columns).map((column) => column[method] ?? 'not in this version'),
  ])
  const header = [title, ...Object.keys(columns)]
  const total = [
    'total',
    ...Object.entries(columns).map(([name, column]) => (name === 'request' ? '' : counts(column))),
  ]
  return [header, header.map(() => '---'), ...rows, total].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function counts(results: Columns[string]): string {
  const cells = Object.values(results)
  const works = cells.filter((cell) => cell === 'works').length
  return `${works} work, ${cells.length - works} refused`
}
