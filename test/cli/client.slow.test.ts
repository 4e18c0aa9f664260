import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { unusualServers } from '../../cli/client/servers.ts'
import { clientRequirements } from '../../mock-server/client/requirements.ts'
import type { Report } from '../../reporters/model/report.ts'
import { command, temporaryFolder } from '../fixtures/touchstone.ts'

const client = fileURLToPath(new URL('../fixtures/stream-client.mjs', import.meta.url))

/** Tests a client that does something wrong, with all servers or with some. */
async function testClient(mutant: string, ...args: string[]) {
  const folder = await temporaryFolder()
  const program = `"${process.execPath}" "${client}"`
  const result = await command(['client', '--command', program, '--report', folder, ...args], {
    env: { MUTANT: mutant },
  })
  const report: Report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning')
  return { ...result, report, failed: failed.map(({ id }) => id), folder }
}

test('a client without defects is conformant with all servers', async () => {
  const { code, stdout, failed, report, folder } = await testClient('')
  expect({ code, failed }).toEqual({ code: 0, failed: [] })
  expect(stdout).toMatch(/^Conformant: \d+ of \d+ tested requirements pass/m)
  expect(report.target.endpoints.map(({ name }) => name)).toEqual(['plain', ...unusualServers.map(({ name }) => name)])
  expect(report.requirements.find(({ id }) => id === 'client.stream.last-event-id')?.verdict).toBe('pass')
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('client.server.crlf')
})

test.each([
  ['by-chunk', 'split-chunks'],
  ['no-carry', 'split-chunks'],
  ['lf-only', 'crlf'],
  ['no-comments', 'comments'],
  ['one-data-line', 'data-lines'],
  ['closed-events', 'unknown-events'],
  ['closed-fields', 'unknown-fields'],
  ['closed-objects', 'unknown-fields'],
  ['impatient', 'slow-headers'],
  ['no-retry', 'rate-limit'],
  ['no-resume', 'cut-stream'],
  ['no-dedup', 'duplicate'],
])('the client %s fails with the server %s', async (mutant, server) => {
  const { stderr, failed, report } = await testClient(mutant, '--server', server)
  expect({ stderr, failed }).toEqual({
    stderr: expect.stringMatching(new RegExp(`^plain: exit code 0.*^${server}: exit code 1`, 'ms')),
    failed: expect.arrayContaining([`client.server.${server}`]),
  })
  const [outcome] = report.requirements.find(({ id }) => id === `client.server.${server}`)?.outcomes ?? []
  // One line of the output, without its stack trace, and the requests that the client had sent.
  expect(outcome?.failure?.received).toMatch(/^exit code 1: .*Error: (?!.*[.]mjs)/)
  expect(outcome?.evidence !== undefined).toBe(mutant !== 'impatient')
})

test('a server that did nothing unusual is not applicable', async () => {
  const folder = await temporaryFolder()
  const servers = ['--server', 'rate-limit', '--server', 'cut-stream', '--server', 'duplicate']
  const args = ['--command', 'curl -sf "$TOUCHSTONE_URL/assistants/search" --json "{}"', ...servers]
  const { code, stdout } = await command(['client', ...args, '--report', folder])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/tested requirements pass \(plain\)$/m) })
  const { requirements }: Report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  const results = requirements.filter(({ id }) => id.startsWith('client.server.'))
  expect(results.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
    'not-applicable: The client sent fewer than two requests.',
    'not-applicable: No stream of a run in a thread was cut: the client opened none, or left it before.',
    'not-applicable: The client resumed no stream of a run in a thread.',
  ])
})

test('every unusual server has a requirement', () => {
  const required = clientRequirements.flatMap(({ server }) => (server === undefined ? [] : [server]))
  expect(unusualServers.map(({ name }) => name)).toEqual(required)
})

test('a client that fails with the ordinary server is not tested further', async () => {
  const { code, stdout, stderr } = await testClient('broken')
  expect(code).toBe(2)
  expect(stderr).toMatch(/^plain: exit code 1, 3 requests\n.*Error: always/s)
  expect(stderr).not.toContain('crlf')
  expect(stdout).toContain('the command fails with an ordinary server: exit code 1: ')
})

test('a command that takes too long is killed', async () => {
  const folder = await temporaryFolder()
  const args = ['--command', 'sleep 600; true', '--timeout', '1', '--report', folder]
  expect(await command(['client', ...args])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('plain: exit code 137'),
  })
})
