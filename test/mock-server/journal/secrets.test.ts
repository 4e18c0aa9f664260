import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { withControlPlane } from '../../../mock-server/control/control-plane.ts'
import { SECRET_NAMES } from '../../../mock-server/control/journal/sensitive.ts'
import type { AuthHandlers } from '../../../mock-server/deployment/auth/handlers.ts'
import { createMockServer, defineGraph, type MockServerOptions } from '../../../mock-server/index.ts'
import { exportClient } from '../../fixtures/export-client.ts'
import { faultyBucket } from '../../fixtures/faulty-bucket.ts'
import { clientOf, eventsOf, say } from '../../fixtures/mock-client.ts'

// A secret with characters that URLs, JSON and base64 encode differently.
const CANARY = 'cänary/+"7? =&x'

/** All encodings of the canary that a text could contain. */
function canaries(): string[] {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const aligned = ['', 'u:', 'user:'].map((before) => base64(before + CANARY).slice(4, -4))
  return [
    CANARY,
    encodeURIComponent(CANARY),
    new URLSearchParams({ '': CANARY }).toString().slice(1),
    JSON.stringify(CANARY).slice(1, -1),
    ...aligned,
    ...aligned.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** A server whose graph and users repeat every secret that they receive. */
function leakyServer(options: MockServerOptions = {}): ReturnType<typeof createMockServer> {
  const parrot = defineGraph({
    nodes: {
      repeat: (_state, { config, emit, token, messageId }) => {
        const text = String(config.configurable['text'])
        const packed = btoa(utf8(text))
        emit({ text, url: `http://a.test/?q=${encodeURIComponent(text)}`, json: JSON.stringify({ text }) })
        emit({ packed, forAddresses: packed.replaceAll('+', '-').replaceAll('/', '_') })
        token(messageId(), text)
        return { messages: [{ role: 'ai', content: `You said ${text}` }], echo: { token: text, list: [text] } }
      },
    },
  })
  const auth: AuthHandlers = { authenticate: () => ({ identity: 'ann', role: CANARY }) }
  const mock = createMockServer({ journal: true, graphs: { parrot }, auth, ...options })
  onTestFinished(() => mock.close())
  return mock
}

/** Fails if the journal contains the canary in any encoding. */
function expectNoCanary({ journal }: ReturnType<typeof createMockServer>): void {
  const output = JSON.stringify(journal.calls()) + journal.har()
  expect(output).toContain('[redacted]')
  for (const canary of canaries()) {
    expect(output).not.toContain(canary)
    expect(output).not.toContain(JSON.stringify(canary).slice(1, -1))
  }
}

const utf8 = (text: string): string => unescape(encodeURIComponent(text))

test.each([
  ['authorization', `Bearer ${utf8(CANARY)}`],
  ['authorization', `Basic ${btoa(utf8(`user:${CANARY}`))}`],
  ['cookie', `a=1; session=${encodeURIComponent(CANARY)}`],
  ['x-api-key', encodeURIComponent(CANARY)],
])('redacts the secret of %s: %s, even where the server repeats it', async (name, value) => {
  const mock = leakyServer()
  const { thread, send } = clientOf(mock, { [name]: value })
  const { thread_id } = await thread({ metadata: { mine: value } })
  const body = { assistant_id: 'parrot', config: { configurable: { text: value } }, stream_mode: ['custom', 'updates'] }
  await eventsOf(await send('POST', `/threads/${thread_id}/runs/stream`, { ...body, ...say(value) }))
  await send('GET', `/threads/${thread_id}/state?about=${encodeURIComponent(value)}`)
  const output = JSON.stringify(mock.journal.calls()) + mock.journal.har()
  expect(output).not.toContain(value)
  expect(output).not.toContain(JSON.stringify(value).slice(1, -1))
  expect(output).not.toContain(encodeURIComponent(value))
  expect(mock.journal.calls()).toHaveLength(3)
})

test('redacts a secret field of a body in every encoding', async () => {
  const mock = leakyServer()
  const { thread, send } = clientOf(mock)
  const { thread_id } = await thread({ metadata: { settings: { session_token: CANARY } } })
  const body = {
    assistant_id: 'parrot',
    config: { configurable: { text: CANARY } },
    stream_mode: ['custom', 'updates', 'messages'],
  }
  await eventsOf(await send('POST', `/threads/${thread_id}/runs/stream`, { ...body, ...say(`It is ${CANARY}!`) }))
  await send(
    'GET',
    `/threads/${thread_id}/state?about=${encodeURIComponent(CANARY)}&api_key=${encodeURIComponent(CANARY)}`,
  )
  expectNoCanary(mock)
})

test('redacts credentials of a bucket', async () => {
  const mock = leakyServer()
  const bucket = await faultyBucket()
  const keys = { 'X-API-Key': 'touchstone-enterprise', 'X-Tenant-Id': '00000000-0000-4000-8000-00000000000a' }
  await exportClient(mock, keys).send('POST', '/destinations', {
    destination_type: 's3',
    display_name: 'mine',
    config: { bucket_name: bucket.name, endpoint_url: bucket.endpoint },
    credentials: { access_key_id: 'AKIA-mine', secret_access_key: CANARY, session_token: `${CANARY}2` },
  })
  expectNoCanary(mock)
  const output = JSON.stringify(mock.journal.calls())
  expect(output).not.toContain('AKIA-mine')
  expect(output).not.toContain('touchstone-enterprise')
  expect(mock.journal.calls()).toMatchObject([{ requestBody: { config: { bucket_name: bucket.name } } }])
})

test('redacts the token of the control plane', async () => {
  const mock = leakyServer()
  const { handle } = withControlPlane(mock, { token: CANARY })
  await handle(
    new Request('http://mock/threads', { method: 'POST', body: JSON.stringify({ metadata: { a: CANARY } }) }),
  )
  expectNoCanary(mock)
})

/** A list of names in the form of docs/guides/faults-and-journal.md. */
const formatNames = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

test('the docs list all names of secrets', async () => {
  const docs = (
    await readFile(new URL('../../../docs/guides/faults-and-journal.md', import.meta.url), 'utf8')
  ).replaceAll(/\s+/g, ' ')
  for (const names of Object.values(SECRET_NAMES)) expect(docs).toContain(` ${formatNames(names.toSorted())} |`)
})

const headers = [
  ...SECRET_NAMES.headersWith.map((name) => `x-my-${name}-of-ann`),
  ...SECRET_NAMES.headersEndingIn.flatMap((name) => [name, `x-${name}`]),
]
const fields = [
  ...SECRET_NAMES.fieldsEndingIn.flatMap((name) => [name, `my_${name}`, `X-${name.toUpperCase()}`]),
  ...SECRET_NAMES.fieldsNamed.flatMap((name) => [name, `x-${name}`]),
  ...[
    'apiKey',
    'session_token',
    'AWS_SECRET_ACCESS_KEY',
    'X-Amz-Security-Token',
    'X-Amz-Signature',
    'accessJwt',
    'totp',
  ],
]

test.each(headers)('redacts the header %s', async (name) => {
  const mock = leakyServer()
  await clientOf(mock, { [name]: 'a-canary' }).thread({ metadata: { said: 'It is a-canary' } })
  expect(mock.journal.calls()).toMatchObject([{ requestHeaders: { [name]: '[redacted]' } }])
  expect(mock.journal.har()).not.toContain('canary')
})

test.each(fields)('redacts the field or query parameter %s', async (name) => {
  const mock = leakyServer()
  await clientOf(mock).thread({ metadata: { [name]: 'a-canary', said: 'It is a-canary' } })
  await clientOf(mock).send('GET', `/threads?${name}=another-canary&about=another-canary`)
  expect(mock.journal.calls()).toMatchObject([{ requestBody: { metadata: { said: 'It is [redacted]' } } }, {}])
  expect(mock.journal.har()).not.toContain('canary')
})

test('redacts a number in a secret field', async () => {
  const mock = leakyServer()
  await clientOf(mock).thread({ metadata: { pin: 4711 } })
  expect(mock.journal.calls()).toMatchObject([{ requestBody: { metadata: { pin: '[redacted]' } } }])
})

test('does not redact names that only resemble those of secrets', async () => {
  const mock = leakyServer()
  const metadata = {
    ...{ total_tokens: 7, max_tokens: null, key: 'c', monkey: 'd', tokens: ['a'], credentials_keys: ['x'] },
    ...{ position: 'left', pinned: 'once', pins: ['abcd'], mapPin: 'here', signal: 'green', design: 'plain' },
    ...{ side: 'north', inside: 'there', beside: 'where', bypass: 'road', pass: 'fail', pwd: '/home', access: 'open' },
    ...{ session_id: 'mine', signature: '(a: b)', cupbearer: 'carol', tokenizer: 'bytes', assigned: 'david' },
  }
  const ordinary = {
    'x-position': 'left',
    'x-signal': 'green',
    'x-pass-through': 'once',
    'x-access': 'open',
    side: 'north',
  }
  await clientOf(mock, ordinary).thread({ metadata })
  expect(mock.journal.calls()).toMatchObject([{ requestBody: { metadata }, requestHeaders: ordinary }])
})

test('many different secrets neither displace explicit ones nor leak', async () => {
  const mock = leakyServer()
  mock.journal.conceal('my own')
  for (let call = 0; call < 600; call++) {
    await clientOf(mock, { authorization: `Bearer ${CANARY.slice(-3)}-number-${call}` }).send('GET', '/ok')
  }
  await clientOf(mock).thread({ metadata: { said: 'It is my own' } })
  const output = JSON.stringify(mock.journal.calls())
  expect(output).not.toContain('-number-')
  expect(output).toContain('It is [redacted]')
})
