import { createHash } from 'node:crypto'
import { createTraceLog, type RoundLog } from '../../../suites/model/exchange.ts'
import { readTrace } from '../../../suites/trace/read.ts'
import { enumerateMutations } from './enumerate.ts'
import type { Mutation } from './mutation.ts'
import { createRecording, type Recording } from './replay.ts'

/** Which mutations to test. */
export interface MutationSelection {
  /** Text that the ids contain. */
  readonly only: string
  /** Number of mutations; undefined for all. */
  readonly sample: number | undefined
}

/** Reads a trace of the mock server. Returns its endpoints, and the selected mutations in an order that does not depend on it. */
export async function readMutations(
  text: AsyncIterable<string> | Iterable<string>,
  { only, sample }: MutationSelection,
): Promise<{ readonly recordings: readonly Recording[]; readonly mutations: readonly Mutation[] }> {
  const rounds: RoundLog[] = []
  const log = createTraceLog((round) => rounds.push(round))
  const { problems, isCutOff } = await readTrace(text, log.add)
  if (problems.length > 0 || isCutOff) throw new Error('expected a whole trace, received a damaged one')
  const logs = [...(rounds[0]?.values() ?? [])]
  const matching = enumerateMutations(logs).filter(({ id }) => id.includes(only))
  const shuffled = matching
    .map((mutation) => ({ mutation, hash: createHash('sha256').update(mutation.id).digest('hex') }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ mutation }) => mutation)
  return { recordings: logs.map(createRecording), mutations: shuffled.slice(0, sample) }
}
