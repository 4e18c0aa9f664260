// @vitest-environment happy-dom
import { Client } from '@langchain/langgraph-sdk'
import { type UseStreamOptions, useStream } from '@langchain/react'
import type { Document } from 'happy-dom'
import { createElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer, type MockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { callTool, fail, interrupt, stream } from '../../mock-server/scripting/steps.ts'

const dialects: DialectName[] = ['spec', 'agent-server', 'js-dev']

declare const document: Document

/** A page with a conversation, as a user sees it. */
interface Chat {
  /** The texts of the messages that the page shows, each with its type. */
  lines(): string[]
  /** The hook's result of the newest rendering. */
  hook(): ReturnType<typeof useStream>
  send(text: string): Promise<void>
}

/** Renders a chat with `useStream`. */
function openChat(mock: MockServer, threadId?: string): Chat {
  let newest: ReturnType<typeof useStream> | undefined
  const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
  const options = {
    assistantId: 'support',
    // The package has its own version of the client.
    client: client as unknown as NonNullable<UseStreamOptions['client']>,
    fetch: mock.fetch as typeof fetch,
    threadId,
  } as UseStreamOptions
  const Page = () => {
    const hook = useStream(options)
    useEffect(() => {
      newest = hook
    })
    return createElement(
      'ul',
      {},
      hook.messages.map((message, index) => createElement('li', { key: index }, `${message.type}: ${message.text}`)),
    )
  }
  const container = document.createElement('div')
  const root = createRoot(container)
  root.render(createElement(Page))
  onTestFinished(() => root.unmount())
  const hook = () => {
    if (newest === undefined) throw new Error('the page has not been rendered')
    return newest
  }
  return {
    hook,
    lines: () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent ?? ''),
    send: async (text) => {
      await vi.waitFor(() => expect(newest).toBeDefined())
      // It resolves when the run has ended.
      void hook().submit({ messages: [{ type: 'human', content: text }] })
    },
  }
}

describe.each(dialects)('useStream of @langchain/react with the dialect %s', (dialect) => {
  test('shows the messages of a conversation, with tools', async () => {
    const mock = createMockServer({ dialect })
    mock.script('support', [callTool('lookup', { order: 7 }, 'shipped'), stream('It is on its way.')], 'Goodbye.')
    const chat = openChat(mock)
    await chat.send('Where is it?')
    await vi.waitFor(() => expect(chat.lines().at(-1)).toBe('ai: It is on its way.'))
    expect(chat.lines()[0]).toBe('human: Where is it?')
    expect(chat.hook().toolCalls.map(({ name, output }) => [name, output])).toEqual([['lookup', 'shipped']])
    await chat.send('Thanks.')
    await vi.waitFor(() => expect(chat.lines().at(-1)).toBe('ai: Goodbye.'))
    await vi.waitFor(() => expect(chat.hook().isLoading).toBe(false))
  })

  test('shows tokens as they arrive, and stops', async () => {
    const mock = createMockServer({ dialect, clock: manualClock(Date.UTC(2026, 0, 1)) })
    mock.script('support', { stream: ['one', ' two', ' three'], everyMs: 1000 })
    const chat = openChat(mock)
    await chat.send('Count.')
    await vi.waitFor(() => expect(chat.lines().at(-1)).toBe('ai: one'))
    await mock.clock.advance(1000)
    await vi.waitFor(() => expect(chat.lines().at(-1)).toBe('ai: one two'))
    expect(chat.hook().isLoading).toBe(true)
    await chat.hook().stop()
    await vi.waitFor(() => expect(chat.hook().isLoading).toBe(false))
  })

  test('shows an interrupt and continues after the response', async () => {
    const mock = createMockServer({ dialect })
    mock.script('support', [interrupt({ question: 'Publish?' }), ({ resume }) => `You said ${resume}`])
    const chat = openChat(mock)
    await chat.send('Draft.')
    await vi.waitFor(() => expect(chat.hook().interrupt?.value).toEqual({ question: 'Publish?' }))
    await chat.hook().respond('yes')
    await vi.waitFor(() => expect(chat.lines().at(-1)).toBe('ai: You said yes'))
    await vi.waitFor(() => expect(chat.hook().interrupts).toEqual([]))
  })

  test('shows the error of a run', async () => {
    const mock = createMockServer({ dialect })
    mock.script('support', fail('No such order'))
    const chat = openChat(mock)
    await chat.send('Where is it?')
    await vi.waitFor(() => expect(String(chat.hook().error)).toContain('No such order'))
  })

  test('shows the same conversation in several tabs', async () => {
    const mock = createMockServer({ dialect })
    mock.script('support', 'Hello.', 'Goodbye.')
    const first = openChat(mock)
    await first.send('Hi.')
    await vi.waitFor(() => expect(first.lines().at(-1)).toBe('ai: Hello.'))
    const second = openChat(mock, first.hook().threadId ?? '')
    await vi.waitFor(() => expect(second.lines()).toEqual(['human: Hi.', 'ai: Hello.']))
    await second.send('Bye.')
    for (const tab of [first, second]) {
      await vi.waitFor(() => expect(tab.lines()).toEqual(['human: Hi.', 'ai: Hello.', 'human: Bye.', 'ai: Goodbye.']))
    }
  })
})
