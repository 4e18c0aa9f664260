import type { ApiKey } from './keys.ts'

/**
 * Options of the bulk export API of a mock server.
 *
 * @example
 * const mock = createMockServer({ export: { bucket: 'memory', maxConcurrentRuns: 1 } })
 */
export interface ExportOptions {
  /**
   * API keys with their workspaces and plans.
   *
   * @default two workspaces with bulk export and one on a plan without it, with documented test keys
   * @example
   * keys: [{ key: 'my-key', tenants: ['00000000-0000-4000-8000-00000000000d'], plan: 'enterprise' }]
   */
  readonly keys?: readonly ApiKey[]
  /**
   * Whether the server is a self-hosted installation. Its features then depend on `appVersion` and `chartVersion`, and
   * destinations may omit credentials.
   *
   * @default false
   */
  readonly selfHosted?: boolean
  /**
   * Application version of a self-hosted installation, such as `0.12.42`.
   *
   * @default a version with every feature
   */
  readonly appVersion?: string | undefined
  /**
   * Deployment chart version of a self-hosted installation, such as `0.12.11`.
   *
   * @default a version with every feature
   */
  readonly chartVersion?: string | undefined
  /**
   * Encryption key of stored credentials: 32 bytes as 64 hexadecimal digits or in base64.
   *
   * @default a generated key; with `state`, it is stored in that folder
   */
  readonly encryptionKey?: string | undefined
  /**
   * Maximum number of concurrent exports of a workspace. Further exports wait.
   *
   * @default 3
   */
  readonly maxConcurrentExports?: number
  /**
   * Maximum number of concurrent runs of an export.
   *
   * @default 2
   */
  readonly maxConcurrentRuns?: number
  /**
   * Whether destinations may have private addresses: loopback, link-local and local networks.
   *
   * @default 'allow'
   */
  readonly privateAddresses?: 'allow' | 'refuse'
  /**
   * Storage of exported files: the S3-compatible store of each destination, or memory. In memory every bucket name exists,
   * and `mock.files()` returns the files.
   *
   * @default 's3'
   * @example
   * const mock = createMockServer({ export: { bucket: 'memory' } })
   * const [file] = mock.files()
   */
  readonly bucket?: 's3' | 'memory'
  /**
   * Folder for the state. A server that starts with the same folder continues the exports.
   *
   * @default the state is in memory
   */
  readonly state?: string | undefined
  /**
   * Tracing project that receives the traces of runs of the LangGraph Server API.
   *
   * @default no traces
   */
  readonly traceProject?: TraceProject | undefined
}

/** A tracing project of a workspace. */
export interface TraceProject {
  /** UUID of the workspace. */
  readonly tenantId: string
  /** UUID of the project. */
  readonly sessionId: string
}
