import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { recorded } from '../../fixtures/recorded.ts'

const js = await recorded('langgraph-js')
const py = await recorded('langgraph-py')
const page = await readFile(new URL('../../../docs/reference/third-party-servers.md', import.meta.url), 'utf8')

/** The cells of each line of the table under a heading. */
function table(heading: string): string[][] {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  )
}

function ids(cell = ''): string[] {
  return [...cell.matchAll(/`([a-z_.-]+\.[a-z_.-]+)`/g)].map(([, id = '']) => id)
}

test('what the document forbids is found, and nothing else fails', () => {
  const forbidden = table('Where the document forbids it')
  const rowsOf = (server: string) => forbidden.filter(([who]) => who === server).flatMap((cells) => ids(cells[3]))
  const sometimes = rowsOf('JavaScript, now and then')

  for (const [server, report] of [
    ['JavaScript', js],
    ['Python', py],
  ] as const) {
    const failing = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    const steady = failing.filter((id) => server === 'Python' || !sometimes.includes(id))
    expect(steady.sort(), server).toEqual(rowsOf(server).sort())
  }
})

test('of the sixteen known defects none is a failure; what can be seen of them is observed', () => {
  const defects = table('Sixteen known defects of the JavaScript server')
  expect(defects.map(([number]) => Number(number))).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))

  for (const [number, , , observed = ''] of defects) {
    const sightings = [...observed.matchAll(/`([a-z.-]+)`: `([^`]+)`/g)]
    if (observed !== 'nothing') expect(sightings.length, `defect ${number}`).toBeGreaterThan(0)
    for (const [, id, seen] of sightings) {
      const row = js.requirements.find((one) => one.id === id)
      expect(row, `defect ${number}: ${id}`).toMatchObject({ level: 'OPEN', verdict: 'observed' })
      expect(row?.outcomes[0]?.observation, `defect ${number}: ${id}`).toContain(seen)
    }
  }
})

test('what else was looked at has the verdict that the page tells', () => {
  const reports = { both: [js, py], JavaScript: [js], Python: [py] }
  for (const [server = '', what, , rows = ''] of table('What else was looked at')) {
    const verdict = rows.endsWith('observes') ? 'observed' : 'warn'
    for (const report of reports[server as keyof typeof reports]) {
      for (const id of ids(rows)) {
        expect(report.requirements.find((row) => row.id === id)?.verdict, `${server} ${what}: ${id}`).toBe(verdict)
      }
    }
  }
})
