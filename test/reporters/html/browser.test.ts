import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noChromium } from '../../fixtures/chromium.ts'
import { reportPages } from '../../fixtures/report-page.ts'
import { exampleReport, exchange, outcome, reportOf, requirement, requirements, withLevel } from '../example-report.ts'

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
    expect(await page.locator('.card').textContent()).toContain(attack)
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

  test('opens the requirement in the URL', async () => {
    const page = await pages.open(exampleReport, '#thread.create.id')
    const shown = page.locator('details[open]:focus-within')
    expect(await shown.getAttribute('id')).toBe('thread.create.id')
    expect(await shown.isVisible()).toBe(true)
    await page.evaluate("location.hash = '#run.reject.answer'")
    await page.locator('#run\\.reject\\.answer[open]').waitFor()
  })

  test('puts an opened requirement into the URL', async () => {
    const page = await pages.open(exampleReport)
    await page.locator('#stream\\.progressive > summary').click()
    await expect.poll(() => page.url()).toMatch(/#stream\.progressive$/)
  })

  test('searches and filters the list, and keeps both in the URL', async () => {
    const page = await pages.open(exampleReport)
    const status = page.getByRole('status')
    expect(await status.textContent()).toBe('All 13 requirements')
    await page.keyboard.press('/')
    await page.keyboard.type('any version uuid')
    expect(await status.textContent()).toBe('1 of 13 requirements')
    expect(new URL(page.url()).hash).toBe('#?q=any+version+uuid')
    expect(await page.locator('#thread\\.create\\.long').isVisible()).toBe(false)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('nowhere to be found')
    expect(await page.getByText('No requirement matches.').isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Show all' }).click()
    expect(await status.textContent()).toBe('All 13 requirements')

    await page.getByText('Filter', { exact: true }).click()
    await page.getByRole('checkbox', { name: 'fail', exact: true }).check()
    await page.getByRole('checkbox', { name: 'flaky' }).check()
    await page.getByRole('checkbox', { name: 'MUST' }).check()
    expect(await status.textContent()).toBe('3 of 13 requirements')
    expect(new URL(page.url()).hash).toBe('#?verdict=fail,flaky&level=MUST')

    const reopened = await pages.open(exampleReport, new URL(page.url()).hash)
    expect(await reopened.getByRole('status').textContent()).toBe('3 of 13 requirements')
    expect(await reopened.getByRole('checkbox', { name: 'flaky' }).isChecked()).toBe(true)
    await reopened.getByRole('button', { name: 'Clear filters' }).click()
    expect(await reopened.getByRole('status').textContent()).toBe('All 13 requirements')
  })

  test('filters by area and endpoint', async () => {
    const page = await pages.open(exampleReport)
    await page.getByText('Filter', { exact: true }).click()
    await page.getByRole('combobox', { name: 'Area' }).selectOption({ label: 'B' })
    expect(await page.getByRole('status').textContent()).toBe('1 of 13 requirements')
    await page.getByRole('combobox', { name: 'Area' }).selectOption({ label: 'all' })
    await page.getByRole('combobox', { name: 'Endpoint' }).selectOption({ label: 'custom-auth' })
    expect(await page.getByRole('status').textContent()).toBe('2 of 13 requirements')
  })

  test('filters by a verdict of the legend', async () => {
    const page = await pages.open(exampleReport)
    await page.locator('.legend a', { hasText: 'blocked' }).click()
    expect(await page.getByRole('status').textContent()).toBe('1 of 13 requirements')
    expect(await page.locator('#run\\.list\\.order').isVisible()).toBe(true)
  })

  test('moves through the requirements with the arrow keys and opens one with Enter', async () => {
    const page = await pages.open(exampleReport, '#?level=SHOULD')
    await page.keyboard.press('/')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await page.locator('details[open]:focus-within').getAttribute('id')).toBe('stream.progressive')
    await page.keyboard.press('ArrowDown')
    expect(await page.locator(':focus').getAttribute('href')).toBe('#stream.progressive')
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

  test('copies a curl command', async () => {
    const page = await pages.open(exampleReport)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const card = page.locator('#thread\\.create\\.id-uuid')
    await card.getByRole('button', { name: 'Copy' }).last().click()
    await card.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -sS -i -X POST '/)
  })

  test('opens an exchange that is shown above in place', async () => {
    const evidence = { exchanges: [exchange({ responseBody: 'the only response' })] }
    const shared = ['a.one', 'a.two'].map((id) =>
      requirement(id, 'fail', { outcomes: [outcome('fail', { evidence, failure: { message: id } })] }),
    )
    const page = await pages.open(reportOf(shared))
    const second = page.locator('#a\\.two')
    expect(await second.textContent()).not.toContain('the only response')
    await second.getByText('/threads').first().click()
    await second.getByText('the only response').waitFor()
  })

  test('prints failures open, without controls, dark on white', async () => {
    const many = Array.from({ length: 9 }, (_, index) => requirement(`a.${index}`, 'fail'))
    const page = await pages.open(reportOf([...many, withLevel('MUST', 'pass')]), '', { colorScheme: 'dark' })
    const fact = page.locator('#a\\.3 .facts')
    expect(await fact.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('#search, #theme, nav').filter({ visible: true }).count()).toBe(0)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(await fact.isVisible()).toBe(true)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await page.locator('#a\\.3').getAttribute('open')).toBeNull()
  })

  test('is readable without scripts', async () => {
    const page = await pages.open(exampleReport, '', { javaScriptEnabled: false })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(exampleReport.verdict.sentence)
    await page.locator('#stream\\.progressive > summary').click()
    expect(await page.locator('#stream\\.progressive .facts').isVisible()).toBe(true)
    expect(await page.getByRole('search').isVisible()).toBe(false)
  })
})
