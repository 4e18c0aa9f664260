import { ApiError } from '../../http/errors.ts'
import type { Nullish } from '../../http/fields.ts'
import { isLoopback } from '../../http/loopback.ts'
import { preview } from '../../runtime/preview.ts'

/** The hosts that webhooks may name: this machine, any host, or exactly these. */
export type WebhookHosts = 'loopback' | 'any' | readonly string[]

/** Whether this is a host as the URL class has it: in lower case, without a port, and IPv6 addresses in brackets. */
export function isHostName(name: unknown): boolean {
  return typeof name === 'string' && URL.parse(`http://${name}`)?.hostname === name
}

/** Throws ApiError `invalid-body` for a webhook that the server would not deliver. */
export function checkWebhook(webhook: Nullish<string>, hosts: WebhookHosts): void {
  if (webhook == null) return
  const problem = webhookProblem(webhook, hosts)
  if (problem === undefined) return
  const message = `expected ${problem.expected}, received ${preview(webhook)}${problem.remedy}`
  throw new ApiError('invalid-body', `Field "webhook": ${message}`, { issues: [{ path: ['webhook'], message }] })
}

function webhookProblem(webhook: string, hosts: WebhookHosts): { expected: string; remedy: string } | undefined {
  const isPath = webhook.startsWith('/')
  const url = URL.parse(webhook, isPath ? 'http://mock' : undefined)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    return { expected: 'an HTTP URL without a user and password, or a path of this server', remedy: '' }
  }
  if (hosts === 'any' || (hosts === 'loopback' && (isPath || isLoopback(url.hostname)))) return undefined
  if (typeof hosts !== 'string' && !isPath && hosts.includes(url.hostname)) return undefined
  const names = hosts === 'loopback' ? ['localhost', '127.0.0.1', '[::1]'] : hosts
  return {
    expected: `the URL of a host that webhooks may call (${names.join(', ') || 'none'})`,
    remedy: '; allow others with the option webhooks.hosts or with serve --webhook-hosts',
  }
}
