import { mutants } from '../../targets/mutants/index.ts'
import { startMutant } from '../../targets/mutants/start-mutant.ts'
import { inTemporaryFolder } from '../../targets/processes.ts'
import { thirdPartyServers } from '../../targets/third-party/servers.ts'
import { testServer } from '../../targets/third-party/test-server.ts'
import type { Measure, Setting } from '../measure.ts'
import { type CommandRun, runTouchstone } from '../run-touchstone.ts'
import { goal, type Samples } from '../samples.ts'

/** The conformance suites against the mock server, a server on which runs never end, and third-party servers. */
export const suite: Measure = {
  name: 'suite',
  explanation:
    'Time of the command `touchstone conformance` from start to end: for the deployment API, and for both APIs. Waiting is the share of that time in which its busiest thread neither runs nor waits for a core. Then the time of `touchstone test` with a server on which no run ever ends, and the time of the tests of third-party servers without their start.',
  run: async (setting) => {
    const rows: Samples[] = []
    for (const [name, area, bound] of suites) {
      const runs: CommandRun[] = []
      for (let round = 0; round < (setting.quick ? 1 : 3); round++) {
        runs.push(await inTemporaryFolder((folder) => runTouchstone(['conformance', ...area, '--report', folder])))
      }
      rows.push(
        {
          name: `${name}.wall`,
          unit: 's',
          values: runs.map(({ seconds }) => seconds),
          goal: goal('value', '<=', bound),
        },
        { name: `${name}.waiting`, unit: '% of wall', values: runs.map(({ waiting }) => 100 * waiting) },
        { name: `${name}.cpu`, unit: 's CPU', values: runs.map(({ cpuSeconds }) => cpuSeconds) },
      )
    }
    const [reference] = rows
    const others = [await neverEnding(), ...(await thirdParty(setting))]
    return [...rows, ...others.map((row) => ({ ...row, reference }))]
  },
}

/** Name, options and goal in seconds of each run. */
const suites = [
  ['suite.deployment', ['--area', 'deployment'], 3.5],
  ['suite', [], 8],
] as const

async function neverEnding(): Promise<Samples> {
  const mutant = mutants.find(({ id }) => id === 'run.status.never-ends')
  if (mutant === undefined) throw new Error('expected the mutant run.status.never-ends')
  const { endpoint, close } = await startMutant(mutant, 0)
  try {
    const { seconds } = await inTemporaryFolder((folder) =>
      runTouchstone(['test', '--deployment-url', endpoint.url, '--report', folder], 1),
    )
    return { name: 'suite.never-ends.wall', unit: 's', values: [seconds], goal: goal('value', '<=', 45) }
  } finally {
    await close()
  }
}

/** Goals in seconds. */
const thirdPartyGoals: Readonly<Record<string, number>> = {
  'langgraph-js': 20,
  'langgraph-js-2': 20,
  'langgraph-py': 45,
}

async function thirdParty({ quick, thirdParty: installed }: Setting): Promise<readonly Samples[]> {
  const rows: Samples[] = []
  for (const server of quick ? [] : thirdPartyServers) {
    const bound = thirdPartyGoals[server.name]
    if (bound === undefined || !installed.some(({ name }) => name === server.name)) continue
    const { durationMs } = await inTemporaryFolder((folder) => testServer(server, { folder, baseline: true }))
    rows.push({
      name: `suite.${server.name}.wall`,
      unit: 's',
      values: [durationMs / 1000],
      goal: goal('value', '<=', bound),
    })
  }
  return rows
}
