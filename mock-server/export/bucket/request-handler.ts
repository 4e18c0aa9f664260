import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { BucketError, type NetworkPolicy } from './bucket.ts'
import { PrivateAddress, privateAddressTest, publicLookup } from './private-address.ts'

type Handle = NodeHttpHandler['handle']

/**
 * Sends the requests of an S3 client within the bounds of a policy: in time, to permitted addresses, never on to where
 * a redirect points, and without reading an answer that does not end.
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
    // No name is looked up for an address.
    if (isIP(host) !== 0 && this.#isPrivate?.(host)) {
      throw new BucketError('no-endpoint', new PrivateAddress().message)
    }
    const answer = await super.handle(request, options)
    answer.response.body = bounded(answer.response.body, this.#policy)
    return answer
  }
}

/** The body, cut off with an error where it grows too large or takes too long. */
function bounded(body: Readable, { maxAnswerBytes, requestMs }: NetworkPolicy): Readable {
  const out = new PassThrough()
  let bytes = 0
  const late = setTimeout(
    () => body.destroy(new BucketError('unreachable', 'the answer did not end in time')),
    requestMs,
  )
  body.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > maxAnswerBytes) body.destroy(new BucketError('no-endpoint', 'its answer is too long'))
  })
  body.once('close', () => clearTimeout(late))
  body.once('error', (error) => out.destroy(error))
  return body.pipe(out)
}
