import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { BucketError, type NetworkPolicy } from './bucket.ts'
import { PrivateAddress, privateAddressTest, publicLookup } from './private-address.ts'

type Handle = NodeHttpHandler['handle']

/**
 * Sends the requests of an S3 client within the limits of a network policy: timeouts, allowed addresses, response size.
 * Redirects are not followed.
 */
export class BoundedRequestHandler extends NodeHttpHandler {
  readonly #policy: NetworkPolicy
  readonly #isPrivate: ((address: string) => boolean) | undefined

  constructor(policy: NetworkPolicy) {
    const isPrivate = policy.privateAddresses === 'refuse' ? privateAddressTest() : undefined
    const agent = { keepAlive: true, maxSockets: 50, ...(isPrivate && { lookup: publicLookup(isPrivate) }) }
    super({
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
      connectionTimeout: policy.connectMs,
      requestTimeout: policy.requestMs,
      throwOnRequestTimeout: true,
    })
    this.#policy = policy
    this.#isPrivate = isPrivate
  }

  override async handle(...[request, options]: Parameters<Handle>): ReturnType<Handle> {
    const host = request.hostname.replace(/^\[|\]$/g, '')
    // IP addresses are not looked up, so check them here.
    if (isIP(host) !== 0 && this.#isPrivate?.(host)) {
      throw new BucketError('no-endpoint', new PrivateAddress().message)
    }
    const handled = await super.handle(request, options)
    handled.response.body = bounded(handled.response.body, this.#policy)
    return handled
  }
}

/** Returns the body, which fails with BucketError if it is too large or takes too long. */
function bounded(body: Readable, { maxResponseBytes, requestMs }: NetworkPolicy): Readable {
  const out = new PassThrough()
  let bytes = 0
  const timeout = setTimeout(
    () => body.destroy(new BucketError('unreachable', 'the response did not end in time')),
    requestMs,
  )
  body.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > maxResponseBytes) body.destroy(new BucketError('no-endpoint', 'the response is too large'))
  })
  body.once('close', () => clearTimeout(timeout))
  body.once('error', (error) => out.destroy(error))
  return body.pipe(out)
}
