import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished } from 'vitest'
import { Chat } from './chat.tsx'
import type { OpenTab } from './tab.ts'

/** Renders the chat into the document of the test. */
export const openInJsdom: OpenTab = async (apiUrl, initialThreadId) => {
  let threadId = initialThreadId
  const onThreadId = (id: string) => {
    threadId = id
  }
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  onTestFinished(() => {
    root.unmount()
    container.remove()
  })
  root.render(createElement(Chat, { apiUrl, threadId, onThreadId }))
  const elements = <T extends Element>(selector: string) => [...container.querySelectorAll<T>(selector)]
  return {
    texts: async (selector) => elements(selector).map(({ textContent }) => textContent),
    type: async (label, text) => {
      const field = await present(() => elements<HTMLInputElement>(`input[aria-label="${label}"]`)[0])
      field.value = text
      field.form?.requestSubmit()
    },
    click: async (text) => {
      const button = await present(() =>
        elements<HTMLButtonElement>('button').findLast(({ textContent }) => textContent === text),
      )
      button.click()
    },
    threadId: () => threadId,
  }
}

/** Waits until the page has an element. */
async function present<T extends Element>(find: () => T | undefined): Promise<T> {
  await expect.poll(find).toBeDefined()
  return find() as T
}
