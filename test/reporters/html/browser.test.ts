import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { replayFiles } from '../../../reporters/replay/index.ts'
import { noChromium } from '../../fixtures/chromium.ts'
import { reportPages } from '../../fixtures/report-page.ts'
import { exampleReport, exchange, outcome, reportOf, requirement, requirements } from '../example-report.ts'

/** A response that runs a script in a page that does not escape it. */
const attack = '</script></pre><script>globalThis.owned = true</script><img src=x onerror="globalThis.owned = true">'

const attacking = requirement('a.hostile', 'fail', {
  statement: attack,
  outcomes: [
    outcome('fail', {
      failure: { message: attack, expected: attack, received: attack },
      evidence: {
        exchanges: [exchange({ responseBody: attack, url: `http://127.0.0.1:8123/${attack}` })],
        streams: [{ url: attack, events: [{ atMs: 1, event: attack, data: attack }] }],
      },
    }),
  ],
})

const word = 'w'.repeat(400)

/** A requirement whose texts cannot break. */
const unbreakable = requirement(word, 'fail', {
  statement: word,
  interpretation: word,
  section: word,
  outcomes: [
    outcome('fail', {
      failure: { message: word, expected: word, received: word },
      evidence: {
        exchanges: [exchange({ responseBody: word, url: word, requestHeaders: { [word]: word }, curl: word })],
        streams: [{ url: word, events: [{ atMs: 1, event: word, data: word }] }],
      },
    }),
  ],
})

const pages = reportPages()

describe.skipIf(noChromium !== undefined)(`a report page in Chromium${noChromium ? ` (${noChromium})` : ''}`, () => {
  beforeAll(pages.start)
  afterAll(pages.stop)

  test.for(['light', 'dark'] as const)('is accessible with everything open: %s', async (colorScheme) => {
    const page = await pages.open(exampleReport, '', { colorScheme })
    await page.evaluate("for (const element of document.querySelectorAll('details')) element.open = true")
    expect(await pages.violations(page)).toEqual([])
  })

  test('never runs a response of the target', async () => {
    const page = await pages.open(reportOf([attacking]))
    expect(await page.evaluate('globalThis.owned')).toBeUndefined()
    expect(await page.locator('.card .pair').textContent()).toContain(attack)
    expect(await page.locator('script').count()).toBe(1)
  })

  test.for([360, 414, 768, 1024, 1440])('does not scroll sideways at a width of %d pixels', async (width) => {
    const report = {
      ...reportOf([...requirements, unbreakable]),
      problems: [word],
      staleBaseline: [{ id: word, reason: word }],
    }
    const page = await pages.open(report, '', { viewport: { width, height: 800 } })
    await page.evaluate("for (const element of document.querySelectorAll('details')) element.open = true")
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
  })

  test('opens the requirement in the URL, from a card or a table', async () => {
    const page = await pages.open(exampleReport, '#thread.create.id-uuid')
    const shown = page.locator('details[open]:focus-within')
    expect(await shown.getAttribute('id')).toBe('thread.create.id-uuid')
    expect(await shown.isVisible()).toBe(true)
    await page.evaluate("location.hash = '#run.reject.answer'")
    await page.locator('#unspecified[open] a:focus', { hasText: 'run.reject.answer' }).waitFor()
  })

  test('puts an opened requirement into the URL', async () => {
    const page = await pages.open(exampleReport)
    await page.locator('#warnings > summary').click()
    await page.locator('#stream\\.progressive > summary').click()
    await expect.poll(() => page.url()).toMatch(/#stream\.progressive$/)
  })

  test('searches and filters the tables, shows only the results, and keeps both in the URL', async () => {
    const page = await pages.open(exampleReport)
    const status = page.getByRole('status')
    expect(await status.textContent()).toBe('All 13 requirements')
    await page.keyboard.press('/')
    await page.keyboard.type('create.id uuid expected')
    expect(await status.textContent()).toBe('1 of 13 requirements')
    expect(new URL(page.url()).hash).toBe('#?q=create.id+uuid+expected')
    expect(await page.locator('.section').filter({ visible: true }).getByRole('heading').allTextContents()).toEqual([
      'All other requirements 1 of 12',
    ])
    expect(await page.locator('.list tr').filter({ visible: true }).count()).toBe(2)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('nowhere to be found')
    expect(await page.getByText('No requirement matches.').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await status.textContent()).toBe('All 13 requirements')
    expect(await page.locator('#failures').isVisible()).toBe(true)
    expect(await page.getByRole('heading', { name: 'All other requirements' }).textContent()).toBe(
      'All other requirements 12',
    )

    await page.getByText('Filter', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'fail', exact: true }).check()
    await page.getByRole('checkbox', { name: 'flaky' }).check()
    await page.getByRole('checkbox', { name: 'MUST' }).check()
    expect(await status.textContent()).toBe('3 of 13 requirements')
    expect(new URL(page.url()).hash).toBe('#?verdict=fail,flaky&level=MUST')

    const reopened = await pages.open(exampleReport, new URL(page.url()).hash)
    await expect.poll(() => reopened.getByRole('status').textContent()).toBe('3 of 13 requirements')
    expect(await reopened.getByRole('checkbox', { name: 'flaky' }).isChecked()).toBe(true)
    await reopened.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => reopened.getByRole('status').textContent()).toBe('All 13 requirements')
  })

  test.for([390, 1440])('opens a link with filters at its results at a width of %d pixels', async (width) => {
    const page = await pages.open(exampleReport, '#?verdict=fail', { viewport: { width, height: 800 } })
    const inView = async (text: string) => {
      const box = await page.locator('#status, .list code', { hasText: text }).boundingBox()
      return box !== null && box.y >= 0 && box.y < 800
    }
    await expect.poll(() => inView('2 of 13 requirements')).toBe(true)
    await expect.poll(() => inView('thread.create.id-uuid')).toBe(true)
  })

  test('leads from a result to the card of a failure', async () => {
    const page = await pages.open(exampleReport, '#?q=id-uuid')
    await page.getByRole('link', { name: 'thread.create.id-uuid' }).click()
    await page.locator('#thread\\.create\\.id-uuid[open]').waitFor()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('All 13 requirements')
  })

  test('filters by area and endpoint', async () => {
    const page = await pages.open(exampleReport)
    await page.getByText('Filter', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Area' }).selectOption({ label: 'B' })
    await expect.poll(() => page.getByRole('status').textContent()).toBe('1 of 13 requirements')
    await page.getByRole('combobox', { name: 'Area' }).selectOption({ label: 'all' })
    await page.getByRole('combobox', { name: 'Endpoint' }).selectOption({ label: 'custom-auth' })
    await expect.poll(() => page.getByRole('status').textContent()).toBe('2 of 13 requirements')
  })

  test('filters by a verdict of the legend', async () => {
    const page = await pages.open(exampleReport)
    await page.locator('.legend a', { hasText: 'blocked' }).click()
    await expect.poll(() => page.getByRole('status').textContent()).toBe('1 of 13 requirements')
    expect(await page.getByRole('link', { name: 'run.list.order' }).isVisible()).toBe(true)
  })

  test('moves through the results with the arrow keys, and through the failures with n and p', async () => {
    const page = await pages.open(exampleReport, '#?level=SHOULD')
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    expect(await page.locator(':focus').textContent()).toBe('stream.progressive')
    await page.keyboard.press('Escape')
    const focused = () => page.locator('.card:focus-within').getAttribute('id')
    await page.keyboard.press('n')
    expect(await focused()).toBe('thread.create.id-uuid')
    await page.keyboard.press('n')
    await page.keyboard.press('Enter')
    expect(await page.locator('.card[open]:focus-within').getAttribute('id')).toBe('thread.create.long')
    await page.keyboard.press('p')
    expect(await focused()).toBe('thread.create.id-uuid')
  })

  test('has a link that skips the navigation', async () => {
    const page = await pages.open(exampleReport)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the results')
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe('main')
  })

  test('follows the theme of the system until the reader chooses one', async () => {
    const page = await pages.open(exampleReport, '', { colorScheme: 'dark' })
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const dark = await background()
    await page.getByRole('button', { name: 'Light theme' }).click()
    const light = await background()
    expect(light).not.toBe(dark)
    expect(await page.evaluate("localStorage.getItem('touchstone-theme')")).toBe('light')
    await page.addInitScript("localStorage.setItem('touchstone-theme', 'light')")
    await page.reload()
    expect(await background()).toBe(light)
    expect(await page.getByRole('button', { name: 'Dark theme' }).isVisible()).toBe(true)
  })

  test('copies a curl command, the replay script, the command that tests again, a link and an issue', async () => {
    const page = await pages.open(exampleReport, '#thread.create.id-uuid')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const card = page.locator('#thread\\.create\\.id-uuid')
    const copied = async (name: string) => {
      await card.getByRole('button', { name }).click()
      await card.getByText('Copied').last().waitFor()
      return page.evaluate<string>('navigator.clipboard.readText()')
    }
    expect(await copied('Copy curl')).toMatch(/^curl -sS -i -X POST '/)
    expect(await copied('Copy re-run')).toBe(
      "npx touchstone test --deployment-url http://127.0.0.1:8123 --header 'accept: */*' --header 'x-api-key: env:TOUCHSTONE_X_API_KEY' --id thread.create.id-uuid",
    )
    const script = replayFiles(exampleReport).find(({ name }) => name === 'thread.create.id-uuid.sh')
    expect(await copied('Copy replay')).toBe(script?.text)
    expect(await copied('Copy link')).toMatch(/^file:.*#thread\.create\.id-uuid$/)
    const issue = await copied('Copy as issue')
    expect(issue).toMatch(
      /^\*\*thread\.create\.id-uuid\*\*: The id of a thread is a UUID\n\nExpected:\n\n````\na UUID as a string\n/,
    )
    expect(issue).toContain("````sh\ncurl -sS -i -X POST '")
  })

  test('copies what was expected and received also from a card whose headline shows all of it', async () => {
    const failure = { message: 'expected the status to be "idle"', expected: '"idle"', received: '"busy"' }
    const page = await pages.open(reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { failure })] })]))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as issue' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      'Expected:\n\n````\nthe status to be "idle"\n````\n\nReceived:\n\n````\n"busy"\n````\n',
    )
  })

  test('prints the verdict, the causes and the numbers on a few pages, dark on white', async () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      requirement(`a.${index}`, 'fail', { outcomes: [outcome('fail', { failure: { message: `cause ${index}` } })] }),
    )
    const passing = Array.from({ length: 500 }, (_, index) => requirement(`b.${index}`, 'pass'))
    const page = await pages.open(reportOf([...many, ...passing]), '', { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('#search, #theme, nav, #requirements, .body').filter({ visible: true }).count()).toBe(0)
    expect(await page.locator('.card h3, #verdicts td').filter({ visible: true }).count()).toBeGreaterThan(9)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(6)
  })

  test('is readable without scripts', async () => {
    const page = await pages.open(exampleReport, '', { javaScriptEnabled: false })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(exampleReport.verdict.sentence)
    await page.locator('#warnings > summary').click()
    await page.locator('#stream\\.progressive > summary').click()
    expect(await page.locator('#stream\\.progressive .facts').isVisible()).toBe(true)
    await page.locator('#requirements > summary').click()
    expect(await page.getByRole('cell', { name: 'thread.create.id-uuid' }).first().isVisible()).toBe(true)
    expect(await page.getByRole('search').isVisible()).toBe(false)
    expect(await page.getByRole('button').count()).toBe(0)
  })
})
