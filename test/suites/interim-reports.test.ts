import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Report } from '../../reporters/model/report.ts'
import { createEvaluation } from '../../suites/evaluate/evaluation.ts'
import { createReport } from '../../suites/evaluate/report.ts'
import { startInterimReports } from '../../suites/runner/interim-reports.ts'
import { readTrace } from '../../suites/trace/read.ts'

test('reports failures while the tests still run, and nothing after they have ended', async () => {
  const compressed = await readFile(new URL('../fixtures/golden-traces/langgraph-js.ndjson.br', import.meta.url))
  const lines = String(brotliDecompressSync(compressed)).split('\n')
  const evaluation = createEvaluation()
  // Without its last lines, a trace is that of a run that has not ended.
  await readTrace([lines.slice(0, -50).join('\n')], evaluation.add)

  const first = await new Promise<Report>((resolve) => {
    const stop = startInterimReports(evaluation, {
      everyMs: 1,
      onReport: (report) => {
        stop()
        resolve(report)
      },
    })
  })

  const failing = ({ requirements }: Report) =>
    requirements.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []))
  expect(failing(first)).toContain('state.metadata.writes.present')
  expect(failing(first)).toEqual(failing(await createReport(evaluation)))
})
