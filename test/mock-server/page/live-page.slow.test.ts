import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { callTool, interrupt } from '../../../mock-server/scripting/steps.ts'
import { noChromium, startChromium } from '../../fixtures/chromium.ts'
import { openPage, serveWithPage } from '../../fixtures/live-page.ts'
import { violations } from '../../fixtures/report-page.ts'
import { start, temporaryFolder } from '../../fixtures/touchstone.ts'

const input = { messages: [{ role: 'user', content: 'Hello!' }] }
const START = Date.UTC(2026, 0, 1)

const rows = (page: Page) => page.getByRole('listbox', { name: 'Requests' }).getByRole('option')
const selected = (page: Page) => page.getByRole('listbox', { name: 'Requests' }).getByRole('option', { selected: true })
const paths = (page: Page) => rows(page).locator('.path').filter({ visible: true }).allTextContents()

describe.skipIf(noChromium !== undefined)(`the live page in Chromium${noChromium ? ` (${noChromium})` : ''}`, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser?.close())
  const open = (url: string, options?: BrowserContextOptions): Promise<Page> => openPage(browser, url, options)

  test('shows how to send a first request, and each request when it arrives', async () => {
    const { url, post } = await serveWithPage()
    const page = await open(url)
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
    await page.getByText('"assistant_id":"echo"').waitFor()
    await post('/threads', {})
    await expect.poll(() => paths(page)).toEqual(['/threads'])
    await post('/runs/wait', { assistant_id: 'nobody', input })
    await expect.poll(() => rows(page).filter({ visible: true }).last().textContent()).toMatch(/^404POST\/runs\/wait/)
    expect(await page.getByText('2 requests', { exact: true }).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  })

  test('filters by words and by kind', async () => {
    const { url, post } = await serveWithPage()
    await post('/threads', {})
    await post('/assistants/search', { limit: 5 })
    await post('/threads/01a208e8-34e3-71de-87b9-182bd2ff8544/runs', {})
    const page = await open(url)
    await expect.poll(() => paths(page)).toHaveLength(3)
    await page.keyboard.press('/')
    await page.keyboard.type('post search')
    await expect.poll(() => paths(page)).toEqual(['/assistants/search'])
    expect(await page.getByText('1 of 3 requests').isVisible()).toBe(true)
    await page.getByRole('searchbox').fill('nothing like this')
    expect(await page.getByText('No request matches the filter.').isVisible()).toBe(true)
    await page.getByRole('searchbox').fill('')
    await page.getByLabel('Kind').selectOption({ index: 1 })
    await expect.poll(() => paths(page)).toEqual(['/threads/01a208e8…/runs'])
  })

  test('opens a stream, whose events appear while it runs', async () => {
    const clock = manualClock(START)
    const { url, post } = await serveWithPage({ clock })
    const stream = await post('/runs/stream', { assistant_id: 'slow', input, stream_mode: ['updates'] })
    const page = await open(url)
    await rows(page).first().click()
    await expect.poll(() => new URL(page.url()).hash).toBe('#requests/1')
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByText('2 events, in progress').waitFor()
    await events.getByText('metadata', { exact: true }).click()
    const data = events.locator('pre').getByText('"run_id"')
    await data.waitFor()
    const reading = stream.text()
    await clock.advance(60_000)
    const sent = (await reading).match(/^event: /gm)?.length
    await events.getByText(`${sent} events`, { exact: true }).waitFor()
    await data.waitFor()
  })

  test('copies a request as a curl command that sends the same', async () => {
    const { url, mock, post } = await serveWithPage()
    await post(
      '/threads',
      { metadata: { note: "it's; $(here)" } },
      { 'x-note': '`a` "b"', authorization: 'Bearer ann' },
    )
    const page = await open(`${url}#requests/1`, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByRole('button', { name: 'Copied. Replace [redacted].' }).waitFor()
    const command = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(command).toContain("-H 'authorization: [redacted]'")
    await promisify(execFile)('bash', ['-c', `${command} --silent --fail`])
    const [first, second] = mock.journal.calls()
    expect(second).toMatchObject({ method: 'POST', url: first?.url, requestBody: first?.requestBody })
    expect(second?.requestHeaders['x-note']).toBe('`a` "b"')
  })

  test('the arrow keys move through the requests, and Escape closes one', async () => {
    const { url, post } = await serveWithPage()
    for (const path of ['/threads', '/assistants/search', '/threads']) await post(path, {})
    const page = await open(url)
    await expect.poll(() => paths(page)).toHaveLength(3)
    await page.getByRole('listbox').focus()
    for (const id of [1, 2]) {
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => selected(page).getAttribute('aria-posinset')).toBe(String(id))
      expect(new URL(page.url()).hash).toBe(`#requests/${id}`)
    }
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => new URL(page.url()).hash).toBe('#requests')
    await page.getByRole('listbox').press('ArrowDown')
    await page.getByRole('button', { name: 'Copy as curl' }).press('Escape')
    await expect.poll(() => new URL(page.url()).hash).toBe('#requests')
  })

  test('shows threads with messages and runs', async () => {
    const { url, mock, post } = await serveWithPage()
    mock.script('support', [callTool('lookup', { order: 7 }, 'shipped'), 'It is on its way. <b>Soon</b>'])
    const { thread_id } = (await (await post('/threads', {})).json()) as { thread_id: string }
    const page = await open(`${url}#threads`)
    await page.getByRole('link', { name: thread_id }).click()
    await post(`/threads/${thread_id}/runs/wait`, { assistant_id: 'support', input })
    const messages = page.getByRole('region', { name: 'Messages' })
    await messages.getByText('It is on its way. <b>Soon</b>').waitFor()
    await messages.getByText('lookup({"order":7})').waitFor()
    await page.getByRole('region', { name: 'Runs' }).getByText('success').waitFor()
  })

  test('shows what a thread waits for', async () => {
    const { url, mock, post } = await serveWithPage()
    mock.script('support', interrupt({ question: 'Refund order 7?' }))
    const { thread_id } = (await (await post('/threads', {})).json()) as { thread_id: string }
    await post(`/threads/${thread_id}/runs/wait`, {
      assistant_id: 'support',
      input,
      multitask_strategy: 'reject',
    })
    const page = await open(`${url}#threads/${thread_id}`)
    await page.getByRole('region', { name: 'Interrupts' }).getByText('"Refund order 7?"').waitFor()
    await page.getByText('multitask_strategy: reject').waitFor()
  })

  test('shows assistants', async () => {
    const { url } = await serveWithPage()
    const page = await open(`${url}#assistants`)
    await page.getByRole('heading', { name: 'whoami graph whoami, version 1' }).waitFor()
  })

  test('advances the clock, and jumps to the next due timer', async () => {
    const clock = manualClock(START)
    const { url } = await serveWithPage({ clock })
    clock.after(90 * 60_000, () => undefined)
    const page = await open(`${url}#clock`)
    await page.getByText('The next timer is due at 2026-01-01 01:30:00 UTC, in 1 h 30 min.').waitFor()
    await page.getByRole('button', { name: '+ 1 minute' }).click()
    await page.getByText('Advanced by 1 minute.').waitFor()
    await page.getByText('2026-01-01 00:01:00.000 UTC').waitFor()
    await page.getByRole('button', { name: 'Jump to the next due timer' }).click()
    await page.getByText('Jumped to 2026-01-01 01:30:00 UTC.').waitFor()
    await page.getByText('No timer is waiting.').waitFor()
    expect(clock.now()).toBe(START + 90 * 60_000)
    await page.getByLabel('Advance by').fill('-1')
    await page.getByRole('button', { name: 'Advance', exact: true }).click()
    await page.getByText('Expected 0 to 366 days, received -1').waitFor()
    await page.getByLabel('Advance by').fill('2')
    await page.getByLabel('Unit').selectOption('hours')
    await page.getByRole('button', { name: 'Advance', exact: true }).click()
    await page.getByText('Advanced by 2 hours.').waitFor()
    expect(clock.now()).toBe(START + 210 * 60_000)
  })

  test('adds and removes a fault, with errors next to the fields', async () => {
    const { url, post } = await serveWithPage()
    expect((await post('/threads', {})).status).toBe(200)
    const page = await open(`${url}#requests/1`)
    await page.getByRole('link', { name: 'Add a fault for this route' }).click()
    const form = page.getByRole('form', { name: 'Add a fault' })
    expect(await form.getByLabel('Route').inputValue()).toBe('POST /threads')
    await form.getByLabel('Route').fill('POST /thread')
    await form.getByRole('textbox', { name: 'Status' }).fill('abc')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => form.locator('#error-route').textContent()).toMatch(/^Expected a route .*POST \/threads/)
    expect(await form.locator('#error-status').textContent()).toMatch(/^Expected .*received "abc"/)
    await form.getByLabel('Route').fill('POST /threads')
    await form.getByRole('textbox', { name: 'Status' }).fill('503')
    await form.getByLabel('Calls').selectOption('this many first calls')
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('heading', { name: 'status 503, only the first call' }).waitFor()
    await page.getByText('0 calls, injected into 0').waitFor()
    expect([(await post('/threads', {})).status, (await post('/threads', {})).status]).toEqual([503, 200])
    await page.getByText('2 calls, injected into 1').waitFor()
    await page.getByRole('button', { name: 'Remove the fault status on POST /threads' }).click()
    await page.getByText('No faults. The server responds as it should.').waitFor()
    await form.getByLabel('Type').selectOption('reset')
    await form.getByLabel('After events').fill('2')
    await form.getByLabel('The server executes the request').check()
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByText('Choose either "After events" or "The server executes the request".').waitFor()
  })

  test('sets, shows and removes a script', async () => {
    const { url, post } = await serveWithPage()
    const page = await open(`${url}#scripts`)
    const form = page.getByRole('form', { name: 'Set a script' })
    await form.getByRole('textbox', { name: 'Graph', exact: true }).fill('support')
    await form.getByRole('button', { name: 'Set' }).click()
    await form.getByText(/^Expected JSON such as .*, received nothing$/).waitFor()
    await form.getByLabel('Script').fill('{ "replies": [7] }')
    await form.getByRole('button', { name: 'Set' }).click()
    await form.getByText(/Field "replies\.0": expected/).waitFor()
    await form.getByLabel('Script').fill('["Hello from the page"]')
    await form.getByRole('button', { name: 'Set' }).click()
    await page.getByText('0 runs took a reply').waitFor()
    const response = await post('/runs/wait', { assistant_id: 'support', input })
    const { messages } = (await response.json()) as { messages: { content: string }[] }
    expect(messages.at(-1)?.content).toBe('Hello from the page')
    await page.getByText('1 run took a reply').waitFor()
    await form.getByLabel('Script').fill('')
    await page.getByRole('link', { name: 'Show the script of support' }).click()
    await expect.poll(() => form.getByLabel('Script').inputValue()).toBe('[\n  "Hello from the page"\n]')
    await page.getByRole('button', { name: 'Remove the script of support' }).click()
    await page.getByText('No scripts. Every graph runs its own code.').waitFor()
  })

  test('saves what is shown as a scenario, which serve --scenario replays', async () => {
    const { url, post } = await serveWithPage()
    await post('/assistants/search', { limit: 5 })
    const created = await (await post('/threads', { metadata: { topic: 'spring' } })).json()
    const page = await open(url)
    await page.getByRole('searchbox').fill('threads')
    await page.getByText('1 of 2 requests').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save scenario' }).click(),
    ])
    await page.getByText('Saved 1 request. To replay it:').waitFor()
    const file = join(await temporaryFolder(), 'scenario.json')
    await download.saveAs(file)
    const running = start(['serve', '--port', '0', '--scenario', file])
    onTestFinished(async () => {
      running.process.kill('SIGTERM')
      await running.ended
    })
    const served = (await running.firstLine).trim().replace('listening on ', '')
    const replayed = await fetch(`${served}/threads`, {
      method: 'POST',
      body: JSON.stringify({ metadata: { topic: 'spring' } }),
    })
    const { thread_id: _, created_at: __, updated_at: ___, ...rest } = created as Record<string, unknown>
    expect(await replayed.json()).toMatchObject(rest)

    const [har] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save HAR' }).click(),
    ])
    expect(JSON.parse(await readFile(await har.path(), 'utf8')).log.entries).toHaveLength(1)
    const notice = page.getByText('Saved requests.har.')
    await notice.waitFor()
    await page.getByRole('searchbox').fill('assistants')
    await notice.waitFor({ state: 'hidden' })
  })

  test('shows the session that is chosen, until it is deleted', async () => {
    const running = start(['serve', '--port', '0', '--ui'])
    onTestFinished(async () => {
      running.process.kill('SIGTERM')
      await running.ended
    })
    const served = (await running.firstLine).trim().replace('listening on ', '')
    const ann = { 'x-touchstone-session': 'ann' }
    await fetch(`${served}/threads`, { method: 'POST', body: '{}', headers: ann })
    await fetch(`${served}/ok`)
    const page = await open(`${served}/__touchstone/`)
    await expect.poll(() => paths(page)).toEqual(['/ok'])
    await page.getByLabel('Session').selectOption('ann')
    await expect.poll(() => paths(page)).toEqual(['/threads'])
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText("-H 'x-touchstone-session: ann'").waitFor()
    await fetch(`${served}/__touchstone/sessions/ann`, { method: 'DELETE' })
    await expect.poll(() => paths(page)).toEqual(['/ok'])
    const sessions = await fetch(`${served}/__touchstone/sessions`)
    expect(await sessions.json()).toEqual({ sessions: [] })
  })

  test('asks for the token, which is never in the URL', async () => {
    const { url, post } = await serveWithPage({}, { host: '0.0.0.0', ui: { token: 'let-me-steer' } })
    const page = await open(url.replace('0.0.0.0', '127.0.0.1'))
    const dialog = page.getByRole('dialog', { name: 'Control token' })
    await dialog.getByLabel('Token').fill('guess')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Expected the control token of this server, received another text.').waitFor()
    await dialog.getByLabel('Token').fill('let-me-steer')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    await post('/threads', {})
    await expect.poll(() => paths(page)).toEqual(['/threads'])
    expect(page.url()).not.toContain('let-me-steer')
    await page.reload()
    await expect.poll(() => paths(page)).toEqual(['/threads'])
  })

  test('connects again when the server is back', async () => {
    const { url, mock, server, post } = await serveWithPage()
    const page = await open(url)
    await page.getByText('Live', { exact: true }).waitFor()
    await server.close()
    await page.getByText('Connecting…').waitFor()
    const { port } = new URL(url)
    await serveWithPage({}, { port: Number(port) })
    await page.getByText('Live', { exact: true }).waitFor()
    await post('/threads', {})
    await expect.poll(() => paths(page)).toEqual(['/threads'])
    expect(mock.journal.calls()).toEqual([])
  })

  test('never runs what a client or a server sends', async () => {
    const attack = '<img src=x onerror="globalThis.owned = true">'
    const { url, mock, post } = await serveWithPage()
    mock.script('support', attack)
    await post('/runs/stream', { assistant_id: 'support', input: { messages: [{ role: 'user', content: attack }] } })
    await post(`/threads?${encodeURIComponent(attack)}`, { metadata: { attack } }, { 'x-attack': attack })
    mock.faults.add({ type: 'status', status: 500, body: attack })
    const page = await open(`${url}#requests/1`)
    for (const view of ['requests/1', 'requests/2', 'threads', 'assistants', 'faults', 'scripts']) {
      await page.goto(`${url}#${view}`)
      await page.getByText(attack.slice(0, 12)).or(page.getByRole('heading')).first().waitFor()
    }
    expect(await page.evaluate('globalThis.owned')).toBeUndefined()
    expect(await page.locator('main img').count()).toBe(0)
  })

  test.for([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('is accessible and does not scroll sideways: %s, %d pixels', async ([colorScheme, width]) => {
    const { url, mock, post } = await serveWithPage({ clock: manualClock(START), export: { bucket: 'memory' } })
    const page = await open(url, { colorScheme, viewport: { width, height: 844 } })
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
    expect(await violations(page)).toEqual([])
    mock.script('support', [callTool('lookup', { order: 7 }, 'shipped'), 'It is on its way.'])
    const thread = (await (await post('/threads', {})).json()) as { thread_id: string }
    await (await post(`/threads/${thread.thread_id}/runs/stream`, { assistant_id: 'support', input })).text()
    await post(`/threads/${'x'.repeat(300)}/runs`, {})
    mock.faults.add({ type: 'latency', ms: 0, route: 'POST /threads' })
    for (const view of [
      'requests',
      'requests/2',
      'threads',
      `threads/${thread.thread_id}`,
      'assistants',
      'exports',
      'clock',
      'faults',
      'scripts',
    ]) {
      await page.goto(`${url}#${view}`)
      await page.waitForLoadState('domcontentloaded')
      await expect
        .poll(() => page.locator('main > section:not([hidden]) :is(.row, .items, .card, .empty, .time)').count())
        .toBeGreaterThan(0)
      expect({ view, found: await violations(page) }).toEqual({ view, found: [] })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  test('shows 10,000 requests, of which only the visible ones are in the document', async () => {
    const { url, mock } = await serveWithPage()
    for (let number = 0; number < 10_000; number++) await mock.fetch(`/ok?n=${number}`)
    const page = await open(url)
    await page.getByText('10,000 requests', { exact: true }).waitFor()
    await expect.poll(() => paths(page)).toContain('/ok?n=9999')
    expect(await rows(page).count()).toBeLessThan(60)
    await page.getByRole('listbox').press('Home')
    await expect.poll(() => paths(page)).toContain('/ok?n=0')
    expect(await selected(page).getAttribute('aria-setsize')).toBe('10000')
    await page.getByRole('searchbox').fill('n=5000')
    await expect.poll(() => paths(page)).toEqual(['/ok?n=5000'])
  })
})
