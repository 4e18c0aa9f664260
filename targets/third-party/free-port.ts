import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of the loopback interface that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port')
  return address.port
}
