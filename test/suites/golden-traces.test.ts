import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { levelOf } from '../../suites/catalog/catalog.ts'
import { evaluate } from '../../suites/evaluate/evaluate.ts'
import { deploymentModel } from '../../suites/model/deployment.ts'
import { createTraceLog, type RoundLog } from '../../suites/model/exchange.ts'
import { deploymentRules } from '../../suites/rules/deployment/index.ts'
import { readTrace } from '../../suites/trace/read.ts'

/** Requirements that a server is known to fail; see its baseline in targets/third-party. */
const knownFailures: Readonly<Record<string, readonly string[]>> = {
  'langgraph-js': [
    'state.fields.checkpoint_id.present',
    'state.fields.parent_checkpoint_id.present',
    'state.metadata.writes.present',
  ],
  'langgraph-py': ['run.fields.multitask_strategy.default', 'state.metadata.writes.present'],
}

test.each(['spec', 'agent-server', 'js-dev', 'slow', 'lossy', 'langgraph-js', 'langgraph-py'])(
  'finds no violation in the recorded traffic of %s',
  async (name) => {
    const compressed = await readFile(new URL(`../fixtures/golden-traces/${name}.ndjson.br`, import.meta.url))
    const rounds: RoundLog[] = []
    const log = createTraceLog((round) => rounds.push(round))
    const read = await readTrace([String(brotliDecompressSync(compressed))], log.add)
    expect(read).toEqual({ problems: [], isCutOff: false })
    for (const endpoint of ['open', 'custom-auth']) {
      const recorded = rounds[0]?.get(endpoint)
      if (recorded === undefined) throw new Error(`expected the endpoint ${endpoint} in the trace of ${name}`)
      const findings = await evaluate(deploymentModel(recorded), deploymentRules)
      const failed = findings.filter(
        ({ verdict, requirement }) => verdict === 'fail' && levelOf(requirement) === 'MUST',
      )
      expect(failed.map(({ requirement }) => requirement)).toEqual(knownFailures[name] ?? [])
      expect(findings.filter(({ exercised }) => exercised > 0).length).toBeGreaterThan(240)
    }
  },
)
