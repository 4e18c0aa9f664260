import { isSensitiveHeader } from '../suites/harness/redact.ts'
import { testGraphNames } from '../suites/harness/test-graphs.ts'
import type { ProbedTarget } from '../suites/runner/probe-target.ts'

type Headers = Readonly<Record<string, string>>

/** What a configuration that `touchstone init` writes holds. */
export interface InitialConfig {
  readonly url: string
  /** Sent with every request. */
  readonly headers: Headers
  /** Headers of the user alice; absent where the server has no users. */
  readonly users?: Headers
  /** Deployed name of each test graph; false if it is not deployed. */
  readonly graphs: Readonly<Record<string, string | false>>
  /** A deployed graph to use if the test graphs are not deployed. */
  readonly graph?: string
}

/** Headers with which a user says who they are; others are taken as what every caller sends. */
const userHeaders = /^(?:authorization|cookie)$/i

/** What probing a server with these headers leads to. */
export function configOf(
  url: string,
  given: Headers,
  { guarded, admitted, testGraphs, others }: ProbedTarget,
): InitialConfig {
  const written = Object.entries(withoutSecrets(given))
  const ofUser = written.filter(([name]) => guarded && userHeaders.test(name))
  const [other] = others
  // Under custom authentication a user may see nobody's assistants: then the test graphs' own names are the best guess.
  const unseen = guarded && testGraphs.length + others.length === 0
  return {
    url,
    headers: Object.fromEntries(written.filter((header) => !ofUser.includes(header))),
    ...(ofUser.length > 0 && { users: Object.fromEntries(ofUser) }),
    ...(ofUser.length === 0 && guarded && !admitted && { users: { authorization: 'env:ALICE_AUTHORIZATION' } }),
    graphs: Object.fromEntries(
      testGraphNames.map((graph) => [graph, testGraphs.includes(graph) || unseen ? graph : false]),
    ),
    ...(!testGraphs.includes('echo') && other !== undefined && { graph: other }),
  }
}

/** What a configuration for the bulk export API holds. */
interface InitialExportConfig {
  readonly url: string
  readonly headers: Headers
  readonly session: string
}

/** The configuration of a bulk export API; the caller's headers are named where none were given. */
export function exportConfigOf(url: string, given: Headers, session: string): InitialExportConfig {
  const usual = { 'X-API-Key': 'env:EXPORT_KEY', 'X-Tenant-Id': 'env:EXPORT_TENANT' }
  return { url, headers: Object.keys(given).length > 0 ? withoutSecrets(given) : usual, session }
}

/** It as a module for `touchstone.config.ts`. */
export function renderExportConfig({ url, headers, session }: InitialExportConfig): string {
  return `import { defineTarget } from 'touchstone'

export default defineTarget({
  endpoints: {
    export: {
      url: ${literal(url)},
      headers: ${literal(headers)},
      export: {
        session: ${literal(session)},
        // More is judged with: window, a past time with runs; driver, which seeds runs and moves the clock; other and
        // lowerPlan, further callers; selfHosted, the versions of an installation of your own.
      },
    },
  },
})
`
}

/** The configuration as a module for `touchstone.config.ts`. */
export function renderConfig({ url, headers, users, graphs, graph }: InitialConfig): string {
  const shared = Object.keys(headers).length > 0 ? `\n      headers: ${literal(headers)},` : ''
  const names = Object.entries(graphs).map(([name, deployed]) => `${name}: ${literal(deployed)}`)
  return `import { defineTarget } from 'touchstone'

export default defineTarget({
  endpoints: {
    ${users ? "'custom-auth'" : 'open'}: {
      url: ${literal(url)},${shared}${users ? renderUsers(users) : ''}
    },
  },
  // Deployed name of each test graph; false if it is not deployed.
  graphs: { ${names.join(', ')} },${graph === undefined ? '' : `\n  graph: ${literal(graph)},`}
})
`
}

function renderUsers(alice: Headers): string {
  const bob = Object.fromEntries(Object.keys(alice).map((name) => [name, `env:BOB_${variable(name)}`]))
  const nobody = Object.fromEntries(Object.keys(alice).map((name) => [name, 'Bearer of-no-user']))
  return `
      // Two end users whose resources must stay apart, and credentials that are refused.
      // Where everybody sends the same header there are no users: name the endpoint open, and put the header in headers.
      users: {
        alice: { headers: ${literal(alice)}, identity: 'alice' },
        bob: { headers: ${literal(bob)}, identity: 'bob' },
      },
      invalid: { headers: ${literal(nobody)} },`
}

/** A value that may be a secret is never written down: the variable to set is. */
function withoutSecrets(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const reference = value.startsWith('env:') || value.startsWith('file:')
      return [name, reference || !isSensitiveHeader(name) ? value : `env:${variable(name)}`]
    }),
  )
}

function variable(header: string): string {
  return header.replaceAll('-', '_').toUpperCase()
}

/** A value as the formatters of most projects write it. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([key, inner]) => `${/^[a-z_$][\w$]*$/i.test(key) ? key : literal(key)}: ${literal(inner)}`,
  )
  return `{ ${entries.join(', ')} }`
}
