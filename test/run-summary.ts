import { relative, sep } from 'node:path'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

interface Lines {
  readonly total: number
  readonly covered: number
}

/** What is used of the coverage map of istanbul. */
interface CoverageMap {
  files(): readonly string[]
  fileCoverageFor(file: string): { toSummary(): { lines: Lines } }
}

/** Prints the coverage of each folder, the skipped tests, and one last line with the counts. */
export class RunSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => tests.filter((test) => test.result().state === state)
    const skipped = inState('skipped')
    // In CI everything that a test needs must be there.
    if (process.env['CI'] === 'true' && skipped.length > 0) process.exitCode = 1
    printSkipped(skipped)
    const [passed, failed] = [inState('passed').length, inState('failed').length]
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped.length} skipped\n`)
  }

  onCoverage(coverage: unknown): void {
    printCoverage(coverage as CoverageMap)
  }
}

function printSkipped(skipped: readonly TestCase[]): void {
  if (skipped.length === 0) return
  const counts = new Map<string, number>()
  for (const test of skipped) counts.set(groupOf(test), (counts.get(groupOf(test)) ?? 0) + 1)
  const lines = [...counts].map(([name, count]) => `  ${count} × ${name.replaceAll(/\s+/g, ' ').slice(0, 200)}`)
  process.stdout.write(`Skipped, with the reason:\n${lines.join('\n')}\n\n`)
}

/** The name of the group that a test was skipped with, or of the test: both end with the reason. */
function groupOf(test: TestCase): string {
  const { parent } = test
  return parent.type === 'suite' && parent.options.mode === 'skip' ? parent.fullName : test.fullName
}

function printCoverage(coverage: CoverageMap): void {
  const folders = new Map<string, Lines>()
  for (const file of coverage.files()) {
    const folder = relative(process.cwd(), file).split(sep).slice(0, -1).slice(0, 2).join('/')
    const { total, covered } = coverage.fileCoverageFor(file).toSummary().lines
    for (const name of [folder, 'all']) {
      const sum = folders.get(name) ?? { total: 0, covered: 0 }
      folders.set(name, { total: sum.total + total, covered: sum.covered + covered })
    }
  }
  const lines = [...folders]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([name, { total, covered }]) => {
      const percent = total === 0 ? 100 : (100 * covered) / total
      return `  ${percent.toFixed(0).padStart(3)} % of ${String(total).padStart(5)}  ${name}`
    })
  process.stdout.write(`Covered lines (each file: coverage/index.html):\n${lines.join('\n')}\n\n`)
}
