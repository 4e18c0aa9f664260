import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { recordedReport } from '../../fixtures/recorded-report.ts'

const js = await recordedReport('langgraph-js')
const py = await recordedReport('langgraph-py')
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

test('the failures of each server are exactly those of the page', () => {
  const forbidden = table('Failures')
  const idsOf = (server: string) => forbidden.filter(([name]) => name === server).flatMap((cells) => ids(cells[3]))
  for (const [server, report] of [
    ['JavaScript', js],
    ['Python', py],
  ] as const) {
    const failing = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
    const sometimes = idsOf(`${server}, intermittent`)
    const steady = failing.filter((id) => !sometimes.includes(id))
    expect(steady.sort(), server).toEqual(idsOf(server).sort())
  }
})

test('no known defect is a failure; visible ones are observed', () => {
  const defects = table('Known defects of the JavaScript server')
  expect(defects.map(([number]) => Number(number))).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))

  for (const [number, , , observed = ''] of defects) {
    const observations = [...observed.matchAll(/`([a-z.-]+)`: `([^`]+)`/g)]
    if (observed !== 'nothing') expect(observations.length, `defect ${number}`).toBeGreaterThan(0)
    for (const [, id, text] of observations) {
      const requirement = js.requirements.find((each) => each.id === id)
      expect(requirement, `defect ${number}: ${id}`).toMatchObject({ level: 'UNSPECIFIED', verdict: 'observed' })
      expect(requirement?.outcomes[0]?.observation, `defect ${number}: ${id}`).toContain(text)
    }
  }
})

test('further observations have the verdict of the page', () => {
  const reports = { both: [js, py], JavaScript: [js], Python: [py] }
  for (const [server = '', what, , rows = ''] of table('Deviations that are not failures')) {
    const verdict = rows.endsWith('observes') ? 'observed' : 'warning'
    for (const report of reports[server as keyof typeof reports]) {
      for (const id of ids(rows)) {
        expect(report.requirements.find((each) => each.id === id)?.verdict, `${server} ${what}: ${id}`).toBe(verdict)
      }
    }
  }
})
