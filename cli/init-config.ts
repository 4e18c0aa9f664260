import type { ProbedTarget } from '../suites/runner/probe-target.ts'
import { isSensitiveHeader } from '../suites/trace/redact.ts'
import { testGraphNames } from '../suites/values/test-graphs.ts'

type Headers = Readonly<Record<string, string>>

/** The content of a configuration that `touchstone init` writes. */
export interface InitialConfig {
  readonly url: string
  /** Sent with every request. */
  readonly headers: Headers
  /** Headers of the user alice; absent if the server has no users. */
  readonly users?: Headers
  /** Deployed name of each test graph; false if it is not deployed. */
  readonly graphs: Readonly<Record<string, string | false>>
  /** A deployed graph to use if the test graphs are not deployed. */
  readonly graph?: string
}

/** Headers that identify a user. Other headers are sent with every request. */
const userHeaders = /^(?:authorization|cookie)$/i

/** Creates the configuration of a server from what probing it with these headers returned. */
export function configOf(
  url: string,
  sent: Headers,
  { guarded, admitted, testGraphs, others }: ProbedTarget,
): InitialConfig {
  const written = Object.entries(withoutSecrets(sent))
  const userEntries = written.filter(([name]) => guarded && userHeaders.test(name))
  const [otherGraph] = others
  // With custom authentication, a user may see no assistants. Then guess the default names of the test graphs.
  const seesNone = guarded && testGraphs.length + others.length === 0
  return {
    url,
    headers: Object.fromEntries(written.filter((header) => !userEntries.includes(header))),
    ...(userEntries.length > 0 && { users: Object.fromEntries(userEntries) }),
    ...(userEntries.length === 0 && guarded && !admitted && { users: { authorization: 'env:ALICE_AUTHORIZATION' } }),
    graphs: Object.fromEntries(
      testGraphNames.map((graph) => [graph, testGraphs.includes(graph) || seesNone ? graph : false]),
    ),
    ...(!testGraphs.includes('echo') && otherGraph !== undefined && { graph: otherGraph }),
  }
}

/** The content of a configuration for the bulk export API. */
interface InitialExportConfig {
  readonly url: string
  readonly headers: Headers
  readonly session: string
}

/** Creates the configuration of a bulk export API. Without headers, it gets references to environment variables. */
export function exportConfigOf(url: string, sent: Headers, session: string): InitialExportConfig {
  const defaults = { 'X-API-Key': 'env:EXPORT_KEY', 'X-Tenant-Id': 'env:EXPORT_TENANT' }
  return { url, headers: Object.keys(sent).length > 0 ? withoutSecrets(sent) : defaults, session }
}

/** Renders a configuration of the bulk export API as a module. */
export function renderExportConfig({ url, headers, session }: InitialExportConfig): string {
  return `import { defineTarget } from 'touchstone'

export default defineTarget({
  endpoints: {
    export: {
      url: ${literal(url)},
      headers: ${literal(headers)},
      export: {
        session: ${literal(session)},
        // To test more, add: window, a past time with runs; driver, which seeds runs and moves the clock; other and
        // lowerPlan, additional callers; selfHosted, the versions of a self-hosted installation.
      },
    },
  },
})
`
}

/** Renders a configuration as a module. */
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
  // The deployed name of each test graph, or false if it is not deployed.
  graphs: { ${names.join(', ')} },${graph === undefined ? '' : `\n  graph: ${literal(graph)},`}
})
`
}

function renderUsers(alice: Headers): string {
  const bob = Object.fromEntries(Object.keys(alice).map((name) => [name, `env:BOB_${variableFor(name)}`]))
  const invalid = Object.fromEntries(Object.keys(alice).map((name) => [name, 'Bearer of-no-user']))
  return `
      // Two users whose resources must be separate, and credentials that the server rejects. If all clients send the
      // same header, there are no users: rename the endpoint to open and move the header to headers.
      users: {
        alice: { headers: ${literal(alice)}, identity: 'alice' },
        bob: { headers: ${literal(bob)}, identity: 'bob' },
      },
      invalid: { headers: ${literal(invalid)} },
      // To test more, add: fields to each user, what else your authentication handler returns for them; refusalDetail,
      // the detail message of its 401 responses; studio to users, a user of the visual development UI.`
}

/** Replaces values that may be secrets with references to environment variables. */
function withoutSecrets(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isReference = value.startsWith('env:') || value.startsWith('file:')
      return [name, isReference || !isSensitiveHeader(name) ? value : `env:${variableFor(name)}`]
    }),
  )
}

function variableFor(header: string): string {
  return header.replaceAll('-', '_').toUpperCase()
}

/** Formats a value like common code formatters, with single quotes. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([key, inner]) => `${/^[a-z_$][\w$]*$/i.test(key) ? key : literal(key)}: ${literal(inner)}`,
  )
  return `{ ${entries.join(', ')} }`
}
