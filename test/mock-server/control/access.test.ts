import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { withControlPlane } from '../../../mock-server/control/control-plane.ts'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'

function mockServer(): MockServer {
  const mock = createMockServer({ journal: true })
  onTestFinished(() => mock.close())
  return mock
}

/** Returns the status of a request to a control plane without a token. */
async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const { handle } = withControlPlane(mockServer(), { ui: true })
  return (await handle(new Request(url, { headers }))).status
}

const clock = '/__touchstone/clock'

test.each([
  ['a program', 'http://127.0.0.1:2024', {}],
  ['a program that names the machine', 'http://localhost:2024', {}],
  ['the live page', 'http://[::1]:2024', { origin: 'http://[::1]:2024', 'sec-fetch-site': 'same-origin' }],
  ['the address bar', 'http://127.0.0.1:2024', { 'sec-fetch-site': 'none' }],
])('without a token, the control plane accepts %s', async (_, origin, headers) => {
  expect(await statusOf(origin + clock, headers as Record<string, string>)).toBe(200)
})

test.each([
  ['a page of another site', 'http://127.0.0.1:2024', { origin: 'https://example.com' }],
  ['an image of another site', 'http://127.0.0.1:2024', { 'sec-fetch-site': 'cross-site' }],
  ['a page on another port', 'http://127.0.0.1:2024', { origin: 'http://127.0.0.1:3000' }],
  ['a site that names itself like this machine', 'http://attacker.example:2024', {}],
  ['a page without an origin', 'http://127.0.0.1:2024', { origin: 'null' }],
])('without a token, the control plane refuses %s', async (_, origin, headers) => {
  expect(await statusOf(origin + clock, headers as Record<string, string>)).toBe(403)
})

test('the refusal names what was expected, and the remedy', async () => {
  const { handle } = withControlPlane(mockServer(), {})
  const response = await handle(new Request(`http://attacker.example${clock}`))
  expect(await response.json()).toEqual({
    detail:
      'The control plane expects a request to localhost, 127.0.0.1 or [::1], received one to "attacker.example". Use such a URL, or start the server with --control-token.',
  })
})

test('serves the page without a token, but with a strict policy and without data', async () => {
  const server = await listen(mockServer(), { port: 0, ui: { token: 'let-me-steer' } })
  onTestFinished(() => server.close())
  const page = await fetch(`${server.url}/__touchstone`)
  expect(page.url).toBe(`${server.url}/__touchstone/`)
  expect(page.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  )
  expect((await fetch(`${server.url}${clock}`)).status).toBe(401)
  const headers = { authorization: 'Bearer let-me-steer' }
  expect((await fetch(`${server.url}${clock}`, { headers })).status).toBe(200)
})

test('is not served without ui', async () => {
  const { handle } = withControlPlane(mockServer(), { token: 'let-me-steer' })
  expect((await handle(new Request('http://127.0.0.1/__touchstone/'))).status).toBe(401)
})

test('ui requires a journal, and a token unless the server listens on the loopback interface', async () => {
  await expect(listen(createMockServer(), { port: 0, ui: true })).rejects.toThrow(
    'ui: expected a mock server with the option journal, received one without',
  )
  await expect(listen(mockServer(), { port: 0, host: '0.0.0.0', ui: true })).rejects.toThrow(
    'ui: expected { token } for the host 0.0.0.0, where others could control the server, received true',
  )
})
