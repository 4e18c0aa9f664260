import { expect, onTestFinished, test } from 'vitest'
import { receivedBy } from '../fixtures/http-server.ts'
import { command, start } from '../fixtures/touchstone.ts'

test('touchstone serve delivers the webhook of a run, and the control plane waits for it', async () => {
  const { url: receiver, requests } = await receivedBy(() => ({ status: 202 }))
  const args = [
    '--control-token',
    'env:CONTROL',
    '--journal',
    '--dialect',
    'agent-server',
    '--webhook-hosts',
    '127.0.0.1',
  ]
  const server = start(['serve', '--port', '0', ...args], { env: { CONTROL: 'control' } })
  onTestFinished(async () => {
    server.process.kill('SIGKILL')
    await server.ended
  })
  const url = (await server.firstLine).trim().replace('listening on ', '')
  const body = JSON.stringify({ assistant_id: 'echo', input: {}, webhook: `${receiver}/ended`, on_completion: 'keep' })
  const created = await fetch(`${url}/runs`, { method: 'POST', body })
  expect(created.status).toBe(200)
  const { run_id } = (await created.json()) as { run_id: string }

  const headers = { authorization: 'Bearer control' }
  const waited = await fetch(`${url}/__touchstone/journal/wait?webhook=true&until=ended`, { headers })
  expect(await waited.json()).toMatchObject({
    calls: [{ url: `${receiver}/ended`, status: 202, webhook: { run_id, attempt: 1 } }],
  })
  expect(requests).toMatchObject([{ url: '/ended', type: 'application/json', body: { run_id, status: 'success' } }])
})

test('touchstone serve refuses invalid names of hosts', async () => {
  expect(await command(['serve', '--port', '0', '--webhook-hosts', 'localhost:3000'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected loopback, any, or names of hosts such as hooks.example.com,[::1].'),
  })
})
