import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { mutants } from '../../targets/mutants/index.ts'
import { startMutant } from '../../targets/mutants/start-mutant.ts'

const failing = 'thread.fields.status.default'
const command = "npx touchstone test --deployment-url http://127.0.0.1:2024 --id 'thread.*'"

/** A failure as the home page shows it. Ids, times and the port are the same in every run. */
export interface Failure {
  /** Console output as SVG. */
  readonly console: string
  /** Card of the HTML report as PNG. */
  readonly report: Buffer
  /** Text of the card. */
  readonly reportText: string
}

/** Tests a mutant whose new threads are busy, and renders what the user sees. */
export async function renderFailure(browser: Browser): Promise<Failure> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-images-'))
  const mutant = mutants.find(({ id }) => id === `field.${failing}`)
  if (mutant === undefined) throw new Error(`expected a mutant of ${failing}`)
  const { endpoint, close } = await startMutant(mutant, 0)
  try {
    const output = await runTests(endpoint.url, folder)
    const page = await browser.newPage({ viewport: { width: 1000, height: 1000 }, deviceScaleFactor: 1.2 })
    await page.goto(pathToFileURL(join(folder, 'report.html')).href)
    await page.evaluate(`(${replaceVariables})(${JSON.stringify([endpoint.url, folder])})`)
    const card = page.locator(`[id="${failing}"]`)
    const [report, reportText] = [await card.screenshot(), await card.innerText()]
    return { console: renderConsole(stable(output, endpoint.url, folder)), report, reportText: `${reportText}\n` }
  } finally {
    await close()
    await rm(folder, { recursive: true })
  }
}

async function runTests(url: string, folder: string): Promise<string> {
  const bin = fileURLToPath(new URL('../../cli/bin/touchstone.js', import.meta.url))
  const args = ['test', '--deployment-url', url, '--id', 'thread.*', '--seed', 'docs', '--report', folder]
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  await once(child, 'close')
  return output
}

const patterns = [
  ['[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', '0193a5c2-7d3e-7b11-9f42-5a6b7c8d9e0f'],
  ['\\b[0-9a-f]{8}…', '0193a5c2…'],
  ['\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+', '2026-01-01T12:00:00.000000'],
  ['\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT', 'Thu, 01 Jan 2026 12:00:00 GMT'],
  ['[\\d.]+ ms\\b', '4 ms'],
  ['\\d+\\.\\d s\\b', '2.0 s'],
  ['register [0-9a-f]{12}|catalog [0-9a-f]{12}', 'catalog 0f1e2d3c4b5a'],
] as const

/** Replaces what differs between two runs. */
function stable(text: string, url: string, folder: string): string {
  const fixed = text.replaceAll(new URL(url).host, '127.0.0.1:2024').replaceAll(folder, 'reports')
  return patterns.reduce((result, [pattern, value]) => result.replaceAll(new RegExp(pattern, 'g'), value), fixed)
}

/** `stable` for every text of the page in the browser. */
const replaceVariables = `([url, folder]) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    node.data = ${JSON.stringify(patterns)}.reduce(
      (text, [pattern, value]) => text.replaceAll(new RegExp(pattern, 'g'), value),
      node.data.replaceAll(new URL(url).host, '127.0.0.1:2024').replaceAll(folder, 'reports'),
    )
  }
}`

const columns = 104

/** The output, drawn as a terminal. */
function renderConsole(output: string): string {
  const lines = `$ ${command}\n${output}`.trim().split('\n')
  const rows = lines.map((line) => (line.length > columns ? `${line.slice(0, columns - 1)}…` : line))
  const height = rows.length * 20 + 32
  const texts = rows.map((row, index) => {
    const color = /^(Not conformant|FAIL)/.test(row) ? ' fill="#ff8e8e" font-weight="bold"' : ''
    const y = 30 + index * 20
    return `<text x="16" y="${y}" xml:space="preserve"${color}>${escapeXml(row)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="840" height="${height}" viewBox="0 0 840 ${height}" role="img">
<title>Console output of touchstone test with one failure</title>
<rect width="840" height="${height}" rx="8" fill="#1b1b1f"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#dfdfd6">
${texts.join('\n')}
</g>
</svg>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
