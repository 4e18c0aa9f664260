import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderJson } from '../../reporters/json.ts'
import { recordedReport } from '../fixtures/recorded-report.ts'
import { bash, replaysOf } from '../fixtures/replay-scripts.ts'
import { command, temporaryFolder } from '../fixtures/touchstone.ts'

/** Writes the recorded report of a public server into a folder. */
async function writeRecorded(server: 'langgraph-js' | 'langgraph-py'): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'report.json'), renderJson(await recordedReport(server)))
  return folder
}

test('compares two public servers', async () => {
  const [js, py] = await Promise.all([writeRecorded('langgraph-js'), writeRecorded('langgraph-py')])

  const { code, stdout } = await command(['diff', js, py])

  expect(code).toBe(1)
  expect(stdout).toMatch(/^1 requirement broke, \d+ fixed, .* \(1 of them still fails\)\n/)
  expect(stdout).toContain(
    'Broke (1)\n  run.fields.multitask_strategy.default: pass → fail (MUST) on open, custom-auth\n',
  )
  expect(stdout).toContain('  state.fields.checkpoint_id.present: fail → pass (MUST) on open, custom-auth\n')
  expect(stdout).toContain('The targets differ: @langchain/langgraph-api and langgraph-api.')
  expect(await command(['diff', js, js])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^nothing broke, /),
  })
})

test('renders the badge of a saved report', async () => {
  const { stdout } = await command(['report', await writeRecorded('langgraph-js'), '--format', 'badge'])

  expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, message: '3 requirements fail', color: 'red' })
  expect(stdout).not.toContain('%')
})

test('writes and links the replays of a saved report', async () => {
  const folder = await writeRecorded('langgraph-js')
  const summary = join(folder, 'summary.md')
  const replay = join(folder, 'replay')

  await command(['report', folder, '--format', 'markdown', '--output', summary, '--replay', replay])

  const names = await replaysOf(folder)
  expect(names).toContain('state.metadata.writes.present.sh')
  expect(await readFile(summary, 'utf8')).toContain('[script](replay/state.metadata.writes.present.sh)')
  // No server listens there, so every request fails.
  const unreachable = { TOUCHSTONE_OPEN_URL: 'http://127.0.0.1:9', TOUCHSTONE_CUSTOM_AUTH_URL: 'http://127.0.0.1:9' }
  const { code, stdout } = await bash(join(replay, 'state.metadata.writes.present.sh'), unreachable)
  expect(code).toBe(1)
  expect(stdout).toContain('Cannot continue: expected ')
})
