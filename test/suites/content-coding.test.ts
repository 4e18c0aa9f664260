import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import { createHttp } from '../../suites/harness/http.ts'
import { openSession } from '../../suites/harness/session.ts'

const text = JSON.stringify({ text: 'Grüße' })

test.each<[string, Uint8Array]>([
  ['gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['br', brotliCompressSync(text)],
  ['zstd', zstdCompressSync(text)],
  ['deflate, GZIP', gzipSync(deflateSync(text))],
  ['identity', Buffer.from(text)],
])('reads a body with Content-Encoding %s', async (coding, body) => {
  const handle = async () => new Response(new Uint8Array(body), { headers: { 'content-encoding': coding } })
  const server = await listen({ handle }, { port: 0 })
  const session = openSession({ endpoints: { open: { url: server.url } } }, 'open', 'seed')
  const http = createHttp({ session, headers: {}, user: 'alice', timeoutMs: () => 5000 })

  expect(await http.send({ method: 'GET', path: '/' })).toMatchObject({ json: { text: 'Grüße' } })

  await session.close()
  await server.close()
})
