import { defaultPolicies as deploymentPolicies } from './deployment/policies.ts'
import type { MockServer } from './mock-server.ts'
import type { MockServerOptions, Policies } from './options.ts'
import { createServer } from './server.ts'

export type { ExportOptions } from './export/options.ts'
export { defineGraph } from './graphs/define.ts'
export type { MockServer } from './mock-server.ts'
export type { ExportPolicies, MockServerOptions, Policies, WebhookOptions } from './options.ts'

/** The policies of the LangGraph Server API that apply by default. */
export const defaultPolicies: Policies = deploymentPolicies

/**
 * Creates a mock of the LangGraph Server API and of LangSmith bulk data export.
 *
 * It does no I/O, except for S3 buckets, webhooks, and state that you ask it to keep on disk. Throws a TypeError for invalid options.
 *
 * @example
 * const mock = createMockServer()
 * const response = await mock.fetch('http://mock/threads', { method: 'POST', body: '{}' })
 */
export function createMockServer(options: MockServerOptions = {}): MockServer {
  return createServer(options)
}
