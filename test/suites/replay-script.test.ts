import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { type ReplayStep, type ReplayTarget, replayScript } from '../../suites/harness/replay-script.ts'

const target: ReplayTarget = {
  url: 'http://127.0.0.1:2024/',
  headers: { 'x-api-key': 'k-123', 'x-team': "Ann's" },
  secrets: [{ value: 'k-123', variable: 'TOUCHSTONE_OPEN_X_API_KEY' }],
  graphs: { echo: 'echo', slow: 'slow' },
  delayMs: 300,
}

const steps: readonly ReplayStep[] = [
  { do: 'create', graph: 'slow', strategy: 'enqueue', watch: true },
  { do: 'create', graph: 'echo', strategy: 'reject', watch: false },
  { do: 'create', graph: 'echo', strategy: 'interrupt', watch: false },
  { do: 'join', run: 2 },
  { do: 'stream' },
  { do: 'poll', run: 4 },
]

test('writes one line per step, numbered by the creation of runs', () => {
  const lines = replayScript(target, steps, 'run 0 to be interrupted').split('\n')
  expect(lines.slice(lines.findIndex((line) => line.startsWith('T=')) + 1)).toEqual([
    `create 'run 0' "$SLOW" enqueue`,
    `watch 'before: run 0'`,
    `create 'run 1' 'echo' reject`,
    `create 'run 2' 'echo' interrupt`,
    'join 2',
    'settle',
    `stream 'run 3' 'echo'`,
    'poll 0',
    'settle',
    'api GET "/threads/$T/state"; echo',
    `echo 'expected: run 0 to be interrupted'`,
    '',
  ])
})

test('writes secrets as environment variables', () => {
  const script = replayScript(target, steps, 'anything')
  expect(script).not.toContain('k-123')
  expect(script).toContain(`-H "x-api-key: $TOUCHSTONE_OPEN_X_API_KEY" -H 'x-team: Ann'\\''s'`)
})

test('the script runs with bash and curl', async () => {
  const server = await listen(createMockServer(), { port: 0 })
  try {
    const script = replayScript({ ...target, url: server.url }, steps, 'run 0 to be interrupted')
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script])
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^run 0 \(enqueue\): [0-9a-f-]{36}$/m)
    expect(stdout).toMatch(/^run 1 \(reject\): refused$/m)
    expect(stdout).toMatch(/^run 0 is interrupted$/m)
    expect(stdout).toMatch(/^run 2 is success$/m)
    expect(stdout).toMatch(/^run 3 is success$/m)
    expect(stdout).toContain('"content":"before: run 0"')
    expect(stdout).not.toContain('after: run 0')
  } finally {
    await server.close()
  }
})
