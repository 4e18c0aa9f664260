import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import { creatorsIn, withCreators } from '../../../suites/evaluate/creators.ts'
import type { Finding } from '../../../suites/evaluate/evaluate.ts'
import type { Exchange } from '../../../suites/model/exchange.ts'
import type { TracedEndpoint } from '../../../suites/trace/entries.ts'
import { parquetFile } from './calls.ts'
import type { Mutation } from './mutation.ts'
import { mutateLog, type MutatedLog, type Recording } from './replay.ts'

/** What rules find in a mutated trace. */
export interface Verdict {
  /** Endpoints with responses that the mutation changes. */
  readonly exercised: readonly TracedEndpoint[]
  /** Requirements whose failure is decided by, or has in its evidence, an exchange that the mutation changed. */
  readonly shown: readonly RequirementId[]
  /** Other requirements that fail. */
  readonly elsewhere: readonly RequirementId[]
}

/** Applies a mutation to recordings, one after another, until a requirement fails that shows it. */
export async function evaluateMutation(recordings: readonly Recording[], mutation: Mutation): Promise<Verdict> {
  const exercised: TracedEndpoint[] = []
  const elsewhere = new Set<RequirementId>()
  for (const recording of recordings) {
    const mutated = mutateLog(recording, mutation)
    if (!mutated.isDecidable) continue
    exercised.push(recording.log.endpoint)
    const failed = await recording.evaluate(mutated.log, mutated.parts)
    const shown = failed.filter((finding) => isShown(finding, mutated))
    for (const { requirement } of failed) if (!shown.some((each) => each.requirement === requirement)) elsewhere.add(requirement)
    if (shown.length > 0) return { exercised, shown: shown.map(({ requirement }) => requirement), elsewhere: [...elsewhere] }
  }
  return { exercised, shown: [], elsewhere: [...elsewhere] }
}

/** Whether a changed exchange decides a failure, or is in the evidence of its first case; or only files were changed. */
function isShown({ failing, decidedBy }: Finding, { log, changed, parts }: MutatedLog): boolean {
  if (parts.has(parquetFile)) return true
  if ([...failing].some((id) => changed.has(id))) return true
  const { exchange, setup = [] } = decidedBy.subject
  const named = [...setup, exchange].filter((each) => each !== undefined) as readonly Exchange[]
  return [...withCreators(named, creatorsIn(log.exchanges))].some(({ id }) => changed.has(id))
}
