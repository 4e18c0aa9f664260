import type { Browser } from 'playwright-core'
import { listen } from '../../mock-server/adapters/node.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { seededRandom } from '../../mock-server/runtime/random.ts'
import { callTool, stream } from '../../mock-server/scripting/steps.ts'

/** The live page of the mock server, with an opened stream. Ids and times are the same each time. */
export interface LivePagePicture {
  readonly png: Buffer
  readonly text: string
}

/** Sends requests to a mock server, and renders its live page. */
export async function renderLivePage(browser: Browser): Promise<LivePagePicture> {
  const clock = manualClock(Date.UTC(2026, 0, 1, 12))
  const mock = createMockServer({ clock, random: seededRandom(7), journal: true })
  mock.script('support', [callTool('lookup', { order: 7 }, 'shipped'), stream('Your order is on its way.')])
  const server = await listen(mock, { port: 0, ui: true })
  try {
    const post = (path: string, body: unknown): Promise<Response> =>
      mock.fetch(`http://127.0.0.1:2024${path}`, { method: 'POST', body: JSON.stringify(body) })
    const { thread_id } = (await (await post('/threads', { metadata: { topic: 'orders' } })).json()) as {
      thread_id: string
    }
    await clock.advance(40)
    await post('/assistants/search', { graph_id: 'support' })
    await clock.advance(120)
    await post(`/threads/${thread_id}/runs`, { assistant_id: 'suport' })
    await clock.advance(200)
    const input = { messages: [{ role: 'user', content: 'Where is my order?' }] }
    const response = await post(`/threads/${thread_id}/runs/stream`, {
      assistant_id: 'support',
      input,
      stream_mode: ['updates', 'messages'],
    })
    await response.text()
    await clock.advance(60)
    await mock.fetch(`http://127.0.0.1:2024/threads/${thread_id}/state`)

    const page = await browser.newPage({ viewport: { width: 1280, height: 640 }, colorScheme: 'light' })
    await page.goto(`${server.url}/__touchstone/#requests/4`)
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByText('updates', { exact: true }).first().click()
    await page.getByText('5 requests', { exact: true }).waitFor()
    const picture = { png: await page.screenshot(), text: `${await page.locator('main').innerText()}\n` }
    await page.close()
    return picture
  } finally {
    await server.close()
    await mock.close()
  }
}
