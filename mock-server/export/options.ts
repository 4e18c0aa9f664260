import type { ApiKey } from './keys.ts'

/** How the bulk export API of a mock server is set up. */
export interface ExportOptions {
  /**
   * The API keys that exist, the workspaces that each may use, and the plan that pays for it.
   *
   * @default the documented test keys
   */
  readonly keys?: readonly ApiKey[]
  /**
   * Whether the server is a self-hosted installation: versions then decide which features are on, and a destination
   * may leave out its credentials.
   *
   * @default false
   */
  readonly selfHosted?: boolean
  /**
   * Application version of a self-hosted installation, such as `0.12.42`.
   *
   * @default new enough for every feature
   */
  readonly appVersion?: string | undefined
  /**
   * Deployment chart version of a self-hosted installation, such as `0.12.11`.
   *
   * @default new enough for every feature
   */
  readonly chartVersion?: string | undefined
  /**
   * The key under which credentials are encrypted: 32 bytes as 64 hexadecimal digits or in base64.
   *
   * @default a fresh one; with `state`, one that is kept in that folder
   */
  readonly encryptionKey?: string | undefined
  /**
   * How many exports of one workspace execute at once; the others wait.
   *
   * @default 3
   */
  readonly maxConcurrentExports?: number
  /**
   * How many runs of one export execute at once.
   *
   * @default 2
   */
  readonly maxConcurrentRuns?: number
  /**
   * Whether destinations may lie at private addresses: loopback, link-local, and those of local networks.
   *
   * @default 'allow'
   */
  readonly privateAddresses?: 'allow' | 'refuse'
  /**
   * Where exports are written to: S3-compatible stores, as destinations name them, or buckets of any name in memory, whose
   * files `mock.files()` has.
   *
   * @default 's3'
   */
  readonly bucket?: 's3' | 'memory'
  /**
   * A folder in which everything is kept, so that a server that starts there again goes on with its exports.
   *
   * @default everything is kept in memory
   */
  readonly state?: string | undefined
  /**
   * The tracing project in which runs of the deployment API leave trace records.
   *
   * @default they leave none
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
