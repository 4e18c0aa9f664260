import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Har } from 'har-format'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../targets/processes.ts'
import { harSchema } from '../fixtures/har-schema.ts'
import { plainServer } from '../fixtures/http-server.ts'
import { sdkSession, withoutIds } from '../fixtures/sdk-session.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { command, type Running, start, temporaryFolder } from '../fixtures/touchstone.ts'

/** Starts a command that listens until the test ends; returns its URL. */
async function listening(args: readonly string[]): Promise<Running & { readonly url: string }> {
  const running = start(args)
  onTestFinished(async () => {
    running.process.kill('SIGKILL')
    await running.ended
  })
  return { ...running, url: (await running.firstLine).trim().replace('listening on ', '') }
}

async function stop({ process, ended }: Running): Promise<string> {
  process.kill('SIGINT')
  const { code, stderr } = await ended
  expect(code, stderr).toBe(0)
  return stderr
}

test('a recorded session of the SDK is replayed without the server', async () => {
  const out = join(await temporaryFolder(), 'recording')
  const proxy = await listening(['record', '--target', await startMockServer(), '--port', '0', '--out', out])
  const recorded = await sdkSession(proxy.url)
  const scenario = join(out, 'scenario.json')
  expect(await stop(proxy)).toMatch(
    /recorded \d+ requests, 3 of them with a stream:\n(?: {2}.*\n){3}next: touchstone serve --scenario .*scenario\.json\n$/,
  )

  const server = await listening(['serve', '--port', '0', '--speed', '0', '--scenario', scenario])
  // Ids and times differ in each replay, and another key was redacted.
  for (const key of ['key-of-the-session', 'another-key']) {
    const replayed = await sdkSession(server.url, key)
    expect(withoutIds(replayed.results)).toEqual(withoutIds(recorded.results))
    const bodies = ({ responses }: typeof recorded) => responses.map(({ text }) => text)
    expect(withoutIds(bodies(replayed))).toEqual(withoutIds(bodies(recorded)))
    expect(bodies(replayed).map((text) => Buffer.byteLength(text))).toEqual(
      bodies(recorded).map((text) => Buffer.byteLength(text)),
    )
    expect(bodies(replayed)).not.toEqual(bodies(recorded))
  }
  expect(await stop(server)).toMatch(/^replays \d+ requests to http:/)
})

test('the files of a recording contain no secrets', async () => {
  const out = join(await temporaryFolder(), 'recording')
  const proxy = await listening(['record', '--target', await startMockServer(), '--port', '0', '--out', out])
  const headers = { authorization: 'Bearer of-nobody-else', 'content-type': 'application/json' }
  // The text of a secret is found in bodies, streams and earlier requests, too.
  for (const [path, content] of [
    ['/runs/stream', 'my token is of-nobody-else'],
    ['/runs/wait?api_key=in-the-query', 'in-the-query'],
  ]) {
    const body = {
      assistant_id: 'echo',
      input: { messages: [{ role: 'user', content }] },
      metadata: { password: 'in-a-field' },
    }
    await (await fetch(proxy.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }
  await stop(proxy)

  const [lines, har, scenario] = await Promise.all(
    ['exchanges.ndjson', 'session.har', 'scenario.json'].map((name) => readFile(join(out, name), 'utf8')),
  )
  for (const text of [lines, har, scenario]) expect(text).not.toMatch(/of-nobody-else|in-the-query|in-a-field/)
  const exchanges = lines
    ?.trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(exchanges).toMatchObject([
    {
      route: 'POST /runs/stream',
      status: 200,
      events: expect.any(Array),
      requestHeaders: { authorization: '[redacted]' },
    },
    { route: 'POST /runs/wait', status: 200, state: 'ended' },
  ])
  const isHar = harSchema()
  const parsed: Har = JSON.parse(har ?? '')
  expect(isHar(parsed), JSON.stringify(isHar.errors)).toBe(true)
  expect(parsed.log.entries).toHaveLength(2)
})

test('--record-missing adds requests to the recording', async () => {
  const out = join(await temporaryFolder(), 'recording')
  const scenario = join(out, 'scenario.json')
  const target = await startMockServer()
  const proxy = await listening(['record', '--target', target, '--port', '0', '--out', out])
  const create = async (url: string) => (await fetch(`${url}/threads`, { method: 'POST', body: '{}' })).json()
  const read = (url: string, id: string) => fetch(`${url}/threads/${id}`)
  await create(proxy.url)
  await stop(proxy)

  const missing = await listening([
    'serve',
    '--port',
    '0',
    '--scenario',
    scenario,
    '--record-missing',
    '--target',
    target,
  ])
  const { thread_id } = (await create(missing.url)) as { thread_id: string }
  expect(await (await read(missing.url, thread_id)).json()).toMatchObject({ thread_id, status: 'idle' })
  expect(await stop(missing)).toContain(`added 1 request to ${scenario}\n`)

  const server = await listening(['serve', '--port', '0', '--scenario', scenario])
  const again = (await create(server.url)) as { thread_id: string; created_at: string }
  const thread = (await (await read(server.url, again.thread_id)).json()) as object
  expect(thread).toMatchObject({ thread_id: again.thread_id, status: 'idle' })
  expect((await fetch(`${server.url}/info`)).status).toBe(422)
})

test('ends the recording on SIGTERM while a stream is open', async () => {
  const out = join(await temporaryFolder(), 'recording')
  const proxy = await listening(['record', '--target', await startMockServer(), '--port', '0', '--out', out])
  const config = { configurable: { delay_ms: 600_000 } }
  const body = JSON.stringify({ assistant_id: 'slow', input: {}, config, stream_mode: 'updates' })
  const { body: stream } = await fetch(`${proxy.url}/runs/stream`, { method: 'POST', body })
  const reader = stream?.getReader()
  await reader?.read()
  proxy.process.kill('SIGTERM')
  expect((await proxy.ended).code).toBe(0)
  await expect(async () => {
    while (!(await reader?.read())?.done);
  }).rejects.toThrow('terminated')
  const { recording } = JSON.parse(await readFile(join(out, 'scenario.json'), 'utf8'))
  expect(recording.exchanges).toMatchObject([{ response: { status: 200 }, failure: 'client left' }])
})

test('explains invalid options', async () => {
  const folder = await temporaryFolder()
  const out = join(folder, 'new')
  const full = join(folder, 'full')
  await mkdir(full)
  await writeFile(join(full, 'notes.txt'), '')
  const target = `http://127.0.0.1:${await plainServer()}`
  const closed = await freePort()
  const taken = new URL(target).port

  for (const [args, error] of [
    [
      ['record', '--target', `http://127.0.0.1:${closed}`, '--out', out],
      `--target: expected a server that accepts connections, received http://127.0.0.1:${closed} (ECONNREFUSED). Start the server, or correct the URL.`,
    ],
    [
      ['record', '--target', 'agent', '--out', out],
      '--target: expected the base URL of a server, received agent. Give a URL such as http://127.0.0.1:2024.',
    ],
    [
      ['record', '--target', 'http://user:password@127.0.0.1', '--out', out],
      '--target: expected a URL without user and password, received one with them. Have your client send the header Authorization, which the proxy passes on.',
    ],
    [
      ['record', '--target', target, '--out', out, '--port', taken],
      `--port ${taken}: expected a free port, received one that is in use. Stop the other server, or choose another port (0 selects a free port).`,
    ],
    [
      ['record', '--target', target, '--out', full],
      `--out ${full}: expected a new or an empty folder, received one with 1 file. Name another folder, or delete it.`,
    ],
    [
      ['record', '--target', target, '--out', join(full, 'notes.txt')],
      `--out ${join(full, 'notes.txt')}: expected a new or an empty folder, received one that cannot be created (EEXIST). Name another folder.`,
    ],
    [
      ['serve', '--speed', '2'],
      '--scenario: expected a recording for --speed, received nothing. Name the scenario.json that "touchstone record" wrote.',
    ],
    [['serve', '--record-missing'], '`--record-missing` requires `--target`'],
    [['serve', '--target', target], '`--target` requires `--record-missing`'],
  ] as const) {
    expect(await command(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(`error: ${error}\n`) })
  }
})
