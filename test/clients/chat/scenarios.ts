import { expect, onTestFinished } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { callTool, fail, interrupt, stream } from '../../../mock-server/scripting/steps.ts'
import type { OpenTab, Tab } from './tab.ts'

interface ScenarioContext {
  readonly dialect: DialectName
  readonly open: OpenTab
}

/** What users do with the chat page, for any browser and any dialect of the server. */
export const scenarios: Readonly<Record<string, (context: ScenarioContext) => Promise<void>>> = {
  'shows tokens one after another': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect, clock: manualClock(Date.UTC(2026, 0, 1)) })
    mock.script('support', { stream: ['one', ' two', ' three'], everyMs: 1000 })
    const tab = await open(url)
    await tab.type('Message', 'Count.')
    await showsMessages(tab, 'Count.', 'one')
    await mock.clock.advance(1000)
    await showsMessages(tab, 'Count.', 'one two')
    await mock.clock.advance(1000)
    await showsMessages(tab, 'Count.', 'one two three')
    await isIdle(tab)
  },

  'shows tool calls with their results': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect })
    const lookup = callTool('lookup', { order: 7 }, { status: 'shipped' })
    mock.script('support', [lookup, stream('It is on its way.')], callTool('refund', { order: 7 }))
    const shown = ['Where is it?', 'lookup({"order":7}): {"status":"shipped"}', 'It is on its way.']
    const tab = await open(url)
    await tab.type('Message', 'Where is it?')
    await showsMessages(tab, ...shown)
    await isIdle(tab)
    await showsMessages(await open(url, tab.threadId()), ...shown)
    await tab.type('Message', 'It broke.')
    await showsMessages(tab, ...shown, 'It broke.', 'refund({"order":7}): requested')
  },

  'asks the user and continues with the answer': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect })
    const question = { question: 'Refund 20 €?', answers: ['yes', 'no'] }
    mock.script('support', [interrupt(question), ({ resume }) => `You said ${resume}.`])
    const tab = await open(url)
    await tab.type('Message', 'It broke.')
    await shows(tab, 'section p', 'Refund 20 €?')
    await tab.click('no')
    await showsMessages(tab, 'It broke.', 'You said no.')
    await shows(tab, 'section p')
    await isIdle(tab)
  },

  'continues from an earlier state when a message is edited': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect })
    mock.script('support').otherwise(({ text }) => `You said: ${text}`)
    const tab = await open(url)
    await tab.type('Message', 'Tea')
    await showsMessages(tab, 'Tea', 'You said: Tea')
    await isIdle(tab)
    await tab.type('Message', 'Milk')
    await showsMessages(tab, 'Tea', 'You said: Tea', 'Milk', 'You said: Milk')
    await isIdle(tab)
    await tab.click('Edit')
    await tab.type('Edit', 'Honey')
    await showsMessages(tab, 'Tea', 'You said: Tea', 'Honey', 'You said: Honey')
    await showsMessages(await open(url, tab.threadId()), 'Tea', 'You said: Tea', 'Honey', 'You said: Honey')
  },

  'shows the error of a run': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect })
    mock.script('support', fail('No such order'), 'Found it.')
    const tab = await open(url)
    await tab.type('Message', 'Where is it?')
    await shows(tab, '[role=alert]', expect.stringContaining('No such order'))
    await tab.type('Message', 'Again.')
    // The client receives the failure over two connections, and may take the second copy for one of this run. So it is not
    // certain that the error disappears.
    await showsMessages(tab, 'Where is it?', 'Again.', 'Found it.')
  },

  'connects again after its connection was cut': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect, clock: manualClock(Date.UTC(2026, 0, 1)) })
    // The page opens two streams: one with few events, and one with all of the conversation.
    const route = 'POST /threads/{thread_id}/stream/events'
    mock.faults.add({ type: 'reset', after: 6, route, first: 2 })
    mock.faults.add({ type: 'latency', ms: 1000, route, from: 3 })
    mock.script('support', [callTool('lookup', { order: 7 }, 'shipped'), stream('It is on its way.')])
    const tab = await open(url)
    await tab.type('Message', 'Where is it?')
    await shows(tab, '[role=status]', 'Connection lost. Connecting again…')
    const messages = async () => {
      await mock.clock.advance(1000)
      return tab.texts('li > p')
    }
    await expect.poll(messages).toEqual(['Where is it?', 'lookup({"order":7}): shipped', 'It is on its way.'])
    await shows(tab, '[role=status]')
    await isIdle(tab)
  },

  'stops a run': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect, clock: manualClock(Date.UTC(2026, 0, 1)) })
    mock.script('support', { stream: ['one', ' two'], everyMs: 1000 }, 'Hello.')
    const tab = await open(url)
    await tab.type('Message', 'Count.')
    await showsMessages(tab, 'Count.', 'one')
    await tab.click('Stop')
    await isIdle(tab)
    const runs = await mock.fetch(new Request(`http://mock/threads/${tab.threadId()}/runs`))
    expect(await runs.json()).toMatchObject([{ status: 'interrupted' }])
    await tab.type('Message', 'Hi.')
    await expect.poll(() => tab.texts('li > p')).toContain('Hello.')
  },

  'shows one conversation in several tabs': async ({ dialect, open }) => {
    const { mock, url } = await serve({ dialect })
    mock.script('support', 'Hello.', 'Goodbye.')
    const first = await open(url)
    await first.type('Message', 'Hi.')
    await showsMessages(first, 'Hi.', 'Hello.')
    const second = await open(url, first.threadId())
    await showsMessages(second, 'Hi.', 'Hello.')
    await second.type('Message', 'Bye.')
    for (const tab of [first, second]) await showsMessages(tab, 'Hi.', 'Hello.', 'Bye.', 'Goodbye.')
  },
}

/** Serves a mock server on a port until the test ends. */
async function serve(options: MockServerOptions): Promise<{ mock: MockServer; url: string }> {
  const mock = createMockServer(options)
  const server = await listen(mock, { port: 0 })
  onTestFinished(async () => {
    await server.close()
    await mock.close()
  })
  return { mock, url: server.url }
}

async function shows(tab: Tab, selector: string, ...texts: string[]): Promise<void> {
  await expect.poll(() => tab.texts(selector)).toEqual(texts)
}

function showsMessages(tab: Tab, ...texts: string[]): Promise<void> {
  return shows(tab, 'li > p', ...texts)
}

/** Waits until no run executes. */
async function isIdle(tab: Tab): Promise<void> {
  await expect.poll(() => tab.texts('button')).not.toContain('Stop')
}
