import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deployment, HELLO_GRAPH } from '../fixtures/deployment.ts'
import { bin, command, type Running, start, startNode, temporaryFolder, touchstone } from '../fixtures/touchstone.ts'

const started: Running[] = []

afterEach(async () => {
  for (const { process } of started) process.kill('SIGKILL')
  await Promise.all(started.splice(0).map(({ ended }) => ended))
})

interface Serving extends Running {
  readonly url: string
}

/** Starts `touchstone serve` and waits until it is ready. */
async function serve(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Serving> {
  const running = start(['serve', '--port', '0', ...args], { env })
  started.push(running)
  const line = await running.firstLine
  return { ...running, url: line.trim().replace('listening on ', '') }
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: JSON.stringify(body), headers })
}

describe('touchstone serve', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('prints one line, responds, and stops on %s', async (signal) => {
    const server = await serve()
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await (await post(`${server.url}/threads`, {})).json()).toMatchObject({ status: 'idle' })
    server.process.kill(signal)
    expect(await server.ended).toEqual({
      code: 0,
      stdout: `listening on ${server.url}\n`,
      stderr: [
        'graphs: echo, slow, tools, fail, whoami, chat; dialect: spec',
        `LangGraph Server API: ${server.url}/threads, ${server.url}/assistants`,
        `bulk data export API: ${server.url}/api/v1/bulk-exports`,
        '',
      ].join('\n'),
    })
  })

  test('--bucket embedded starts a store and prints what a destination needs', async () => {
    const server = await serve(['--bucket', 'embedded'])
    await vi.waitFor(() => expect(server.stderr()).toContain('secret_access_key'))
    const setting = (name: string) => new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(server.stderr())?.[1] ?? ''
    const [endpoint_url, bucket_name] = [setting('endpoint_url'), setting('bucket_name')]
    const credentials = {
      access_key_id: setting('access_key_id'),
      secret_access_key: setting('secret_access_key'),
    }

    const response = await post(
      `${server.url}/api/v1/bulk-exports/destinations`,
      {
        destination_type: 's3',
        display_name: 'own',
        config: { bucket_name, endpoint_url, prefix: 'runs' },
        credentials,
      },
      { 'x-api-key': 'touchstone-enterprise', 'x-tenant-id': '00000000-0000-4000-8000-00000000000a' },
    )

    // The server writes a test file into the bucket before it responds.
    expect(response.status).toBe(200)
  })

  test('ends at once if the port is taken, also with --bucket embedded', async () => {
    const { url } = await serve()
    const second = start(['serve', '--port', new URL(url).port, '--bucket', 'embedded'])
    started.push(second)
    expect(await second.ended).toMatchObject({ code: 2, stdout: '' })
  })

  test('stops at once while a run executes and a stream is open', async () => {
    const server = await serve()
    const { thread_id } = (await (await post(`${server.url}/threads`, {})).json()) as { thread_id: string }
    const stream = await post(`${server.url}/threads/${thread_id}/runs/stream`, {
      assistant_id: 'slow',
      input: { messages: [{ role: 'user', content: 'hi' }] },
      config: { configurable: { delay_ms: 3_600_000 } },
    })
    const reader = stream.body?.getReader()
    await reader?.read()
    server.process.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })

  test('stops when the npx that started it was killed', async () => {
    // As npx does, the parent starts the server with a shell and passes no signal on.
    const script = `${process.execPath} ${bin} serve --port 0; true`
    const parent = spawn('sh', ['-c', script], { env: { ...process.env, npm_command: 'exec' }, stdio: 'pipe' })
    const [line] = await once(parent.stdout, 'data')
    const url = String(line).trim().replace('listening on ', '')
    expect((await fetch(`${url}/ok`)).status).toBe(200)
    parent.kill('SIGKILL')
    // The server has the other end of this pipe.
    await once(parent.stdout, 'close')
    await expect(fetch(`${url}/ok`)).rejects.toThrow('fetch failed')
  })

  test('repeats ids and times with --seed and --clock, and moves the clock with the control plane', async () => {
    const results = await Promise.all(
      [0, 1].map(async () => {
        const flags = ['--seed', '7', '--clock', '2026-01-01T00:00:00Z', '--control-token', 'env:TOKEN']
        const { url } = await serve(flags, { TOKEN: 'let-me-steer' })
        const thread = (await (await post(`${url}/threads`, {})).json()) as { thread_id: string }
        const run = await post(`${url}/threads/${thread.thread_id}/runs`, { assistant_id: 'echo', input: {} })
        const steer = { authorization: 'Bearer let-me-steer' }
        await post(`${url}/__touchstone/clock`, { advance_ms: 60_000 }, steer)
        const state = await fetch(`${url}/threads/${thread.thread_id}/state`)
        return {
          thread,
          run: await run.json(),
          state: await state.json(),
          later: await (await post(`${url}/threads`, {})).json(),
        }
      }),
    )
    expect(results[0]).toEqual(results[1])
    expect(results[0]).toMatchObject({
      thread: { created_at: '2026-01-01T00:00:00.000000+00:00' },
      later: { created_at: '2026-01-01T00:01:00.000000+00:00' },
    })
  })

  test('applies the options for the API, the control plane and the journal', async () => {
    const tenant = '7a000000-0000-4000-8000-000000000001'
    const env = { CONTROL: 'let-me-steer', KEYS: JSON.stringify([{ key: 'mine', tenants: [tenant], plan: 'plus' }]) }
    const flags = '--dialect js-dev --body-limit 100 --test-auth --log --journal --faults-by-header'.split(' ')
    const server = await serve([...flags, '--control-token', 'env:CONTROL', '--export-keys', 'env:KEYS'], env)
    const { url } = server
    const alice = { authorization: 'Bearer touchstone-alice' }
    const steer = { authorization: 'Bearer let-me-steer' }

    expect((await post(`${url}/threads`, {})).status).toBe(401)
    expect((await fetch(`${url}/ok`, { headers: { 'x-touchstone-fault': 'status=503' } })).status).toBe(503)
    const thread = await post(`${url}/threads`, { metadata: { topic: 'spring' } }, alice)
    expect(await thread.json()).toMatchObject({ metadata: { owner: 'alice' } })
    expect((await post(`${url}/threads`, { metadata: { text: 'x'.repeat(100) } }, alice)).status).toBe(413)
    const nothing = await fetch(`${url}/nothing?x=1`, { headers: alice })
    expect([nothing.status, nothing.headers.get('content-type')]).toEqual([404, expect.stringContaining('text/plain')])
    const list = (key: string, tenantId: string): Promise<Response> =>
      fetch(`${url}/api/v1/bulk-exports`, { headers: { 'X-API-Key': key, 'X-Tenant-Id': tenantId } })
    expect(await (await list('mine', tenant)).json()).toEqual([])
    expect((await list('touchstone-plus', '00000000-0000-4000-8000-00000000000b')).status).toBe(401)

    const journal = await (await fetch(`${url}/__touchstone/journal`, { headers: steer })).text()
    const calls = [{ route: 'POST /threads', status: 401 }, { status: 503 }, { route: 'POST /threads', status: 200 }]
    expect(JSON.parse(journal).calls.slice(0, 3)).toMatchObject(calls)
    expect(journal).toContain('spring')
    expect(journal).not.toContain('touchstone-alice')
    expect((await post(`${url}/__touchstone/reset`, {})).status).toBe(401)
    expect((await post(`${url}/__touchstone/reset`, {}, steer)).status).toBe(200)
    expect(server.stderr()).toMatch(/^POST \/threads 413 \d+ ms\nGET \/nothing\?x=1 404 \d+ ms$/m)
  })

  test('without --faults-by-header, no request can ask for a fault', async () => {
    const { url } = await serve()
    expect((await fetch(`${url}/ok`, { headers: { 'x-touchstone-fault': 'status=503' } })).status).toBe(200)
  })

  test('sessions have the options of the server and a state of their own', async () => {
    const state = await temporaryFolder()
    const flags = ['--seed', '7', '--clock', '2026-01-01T00:00:00Z', '--state', state, '--control-token', 'env:TOKEN']
    const { url } = await serve(flags, { TOKEN: 'let-me-steer' })
    const createThread = async (headers: Record<string, string>) => (await post(`${url}/threads`, {}, headers)).json()
    const thread = await createThread({})
    const steer = { authorization: 'Bearer let-me-steer', 'x-touchstone-session': 'later' }
    await post(`${url}/__touchstone/clock`, { advance_ms: 60_000 }, steer)

    expect(await createThread({ 'x-touchstone-session': 'same' })).toEqual(thread)
    expect(await createThread(steer)).toMatchObject({ created_at: '2026-01-01T00:01:00.000000+00:00' })
    const keys = { 'x-api-key': 'touchstone-enterprise', 'x-tenant-id': '00000000-0000-4000-8000-00000000000a' }
    for (const headers of [keys, { ...keys, ...steer }]) {
      expect((await fetch(`${url}/api/v1/bulk-exports`, { headers })).status).toBe(200)
    }
  })

  test('deploys the graphs and the auth handlers of a configuration file', async () => {
    const sdkAuth = fileURLToPath(new URL('../fixtures/sdk-auth.ts', import.meta.url))
    const file = await deployment(
      { dependencies: ['.'], graphs: { hello: './hello.ts:graph' }, auth: { path: `${sdkAuth}:auth` } },
      { 'hello.ts': HELLO_GRAPH },
    )
    const { url } = await serve(['--config', file])
    const refused = await post(`${url}/threads`, {})
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({ detail: 'say the magic word' })

    const headers = { authorization: 'Bearer open-sesame' }
    const thread = (await (await post(`${url}/threads`, {}, headers)).json()) as Record<string, string>
    expect(thread['metadata']).toEqual({ owner: 'alibaba' })
    const path = `${url}/threads/${thread['thread_id']}`
    const run = (await (await post(`${path}/runs`, { assistant_id: 'hello' }, headers)).json()) as { run_id: string }
    await fetch(`${path}/runs/${run.run_id}/join`, { headers })
    const state = await (await fetch(`${path}/state`, { headers })).json()
    expect(state).toMatchObject({ values: { messages: [{ type: 'ai', content: 'hello' }] } })
  })

  test('runs a scenario', async () => {
    const scenario = { graphs: { support: ['Hello!'] } }
    const file = await deployment(scenario, {})
    const { url } = await serve(['--scenario', file])
    const response = await post(`${url}/runs/wait`, { assistant_id: 'support', input: {} })
    expect(await response.json()).toMatchObject({ messages: [{ content: 'Hello!' }] })
  })
})

describe('rejects with one sentence and exit code 2', () => {
  test.each<[string, string[], string]>([
    ['an unknown option', ['--prot', '1'], "unknown option '--prot'"],
    ['a port that is not a number', ['--port', 'x'], 'Expected a whole number from 0 to 65535'],
    ['a port that does not exist', ['--port', '65536'], 'Expected a whole number from 0 to 65535'],
    ['an unknown dialect', ['--dialect', 'klingon'], 'Allowed choices are spec, agent-server, js-dev'],
    ['a missing configuration', ['--config', '/nowhere.json'], '/nowhere.json does not exist'],
    ['a missing scenario', ['--scenario', '/nowhere.json'], '/nowhere.json does not exist; expected a JSON file'],
    ['a token on the command line', ['--control-token', 'tell-nobody'], 'expected env:NAME or file:PATH'],
    ['a missing token', ['--control-token', 'env:NOT_SET_AT_ALL'], 'NOT_SET_AT_ALL, which is not set'],
    ['--journal without --control-token', ['--journal'], '`--journal` requires `--control-token` or `--ui`'],
    ['--ui for other machines without a token', ['--ui', '--host', '0.0.0.0'], '--ui: expected --host 127.0.0.1'],
    ['API keys on the command line', ['--export-keys', '[{"key":"tell-nobody"}]'], 'expected env:NAME or file:PATH'],
    ['--app-version without --self-hosted', ['--app-version', '0.12.42'], 'require `--self-hosted`'],
    ['an invalid version', ['--self-hosted', '--chart-version', 'new'], 'Expected a version such as 0.12.42'],
    ['an invalid project', ['--trace-project', 'mine'], 'Expected two UUIDs'],
    ['two sources of auth', ['--config', 'a.json', '--test-auth'], 'cannot be used with option'],
    ...['2026', 'tomorrow', '2026-02-30T00:00:00Z', '1767225600000'].map((text): [string, string[], string] => [
      `the time ${text}`,
      ['--clock', text],
      `argument '${text}' is invalid. Expected an ISO 8601 time from 1970 to 2999, such as`,
    ]),
    [
      'invalid API keys',
      ['--export-keys', 'env:KEYS'],
      'export.keys: expected one of developer, plus, enterprise as plan',
    ],
  ])('%s', async (_, args, words) => {
    const { code, stdout, stderr } = await command(['serve', ...args], { env: { KEYS: '[{"key":"tell-nobody"}]' } })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(stderr).not.toContain('tell-nobody')
  })

  test('a host of another machine', async () => {
    const { code, stderr } = await touchstone(['serve', '--port', '0', '--host', '192.0.2.1'])
    expect(code).toBe(2)
    expect(stderr).toContain('192.0.2.1 is not an address of this machine')
  })

  test('a port in use', async () => {
    const { port } = new URL((await serve()).url)
    const { code, stderr } = await touchstone(['serve', '--port', port])
    expect(code).toBe(2)
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`)
  })

  test('a graph with TypeScript that is not only types', async () => {
    const file = await deployment({ graphs: { a: './a.ts:graph' } }, { 'a.ts': 'export enum graph { A }' })
    const { code, stderr } = await start(['serve', '--config', file]).ended
    expect(code).toBe(2)
    expect(stderr).toContain('syntax that Node.js cannot strip (an enum')
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  test('a graph with a missing import', async () => {
    const file = await deployment({ graphs: { a: './a.js:graph' } }, { 'a.js': 'import "no-such-package-here"' })
    const { code, stderr } = await start(['serve', '--config', file]).ended
    expect(code).toBe(2)
    expect(stderr).toContain("Cannot find package 'no-such-package-here'")
    expect(stderr).toContain('install the missing package')
  })
})

describe('touchstone', () => {
  test('prints its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await start(['--version']).ended).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })
})

describe('with an old version of Node', () => {
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.20.2" })'

  async function copyBin(folder: string): Promise<void> {
    await cp(dirname(bin), join(folder, 'cli/bin'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  }

  test('a package prints the required version', async () => {
    const folder = await temporaryFolder()
    await copyBin(folder)
    const { code, stderr } = await startNode(['--import', pretend, join(folder, 'cli/bin/touchstone.js'), 'serve'])
      .ended
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Expected Node 22\.22 or newer, received 20\.20\.2: install a newer Node, .*\n$/)
  })

  test.each(['touchstone.js', 'needs-node.js'])(
    'a checkout without its own Node prints how to install it (%s)',
    async (file) => {
      const folder = await temporaryFolder()
      await copyBin(folder)
      await writeFile(join(folder, 'cli/main.ts'), '')
      const { code, stderr } = await startNode(['--import', pretend, join(folder, 'cli/bin', file), 'serve']).ended
      expect(code).toBe(2)
      expect(stderr).toMatch(
        /^Expected Node 22\.22 or newer, received 20\.20\.2: run "npm ci" without --ignore-scripts, .*\n$/,
      )
    },
  )

  test('a checkout uses its own Node and stops on a signal', async () => {
    const server = startNode(['--import', pretend, bin, 'serve', '--port', '0'])
    started.push(server)
    expect(await server.firstLine).toMatch(/^listening on /)
    server.process.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })
})
