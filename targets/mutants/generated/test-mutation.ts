import type { BucketStore } from '../../../fixtures/bucket/bucket.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import { equivalenceOf } from './equivalent.ts'
import { evaluateMutation } from './kills.ts'
import { testMutation } from './live.ts'
import { parquetFile } from './calls.ts'
import type { Mutation } from './mutation.ts'
import type { Recording } from './replay.ts'

/** The result of a mutation. Plain data, so that a worker can post it. */
export interface MutationResult {
  readonly id: string
  /**
   * - `killed`: a requirement fails, and its evidence shows a response that the mutation changed
   * - `equivalent`: no requirement fails, and the server conforms to the specification
   * - `survived`: no requirement fails whose evidence shows the mutation
   * - `unfair`: a requirement fails although the server conforms to the specification
   * - `unused`: the trace has no response that the mutation changes
   */
  readonly result: 'killed' | 'equivalent' | 'survived' | 'unfair' | 'unused'
  /** Whether it was decided from the trace, without a server. */
  readonly isOffline: boolean
  /** Requirements that fail and show the mutation. */
  readonly shown: readonly RequirementId[]
  /** Other requirements that fail. */
  readonly elsewhere: readonly RequirementId[]
}

/** Applies a mutation to a recorded trace; if no requirement fails, to a server. */
export async function testGenerated(
  mutation: Mutation,
  recordings: readonly Recording[],
  bucket: BucketStore | undefined,
): Promise<MutationResult> {
  const { id } = mutation
  const { exercised, ...offline } = await evaluateMutation(recordings, mutation)
  const [base, equivalence] = [{ id, isOffline: true, ...offline }, equivalenceOf(id)]
  if (exercised.length === 0) return { ...base, result: 'unused' }
  if (offline.shown.length > 0) return { ...base, result: equivalence !== undefined && !equivalence.mayContradict ? 'unfair' : 'killed' }
  if (equivalence !== undefined) return { ...base, result: 'equivalent' }
  // What the suites send does not depend on the rows of files.
  if (mutation.operation === parquetFile) return { ...base, result: 'survived' }
  const profiles = [...new Set(exercised.map(({ profile }) => profile))]
  // A server with the defect is sent other requests than those of the trace.
  const live = await testMutation(mutation, profiles, bucket)
  return { ...base, ...live, isOffline: false, result: live.shown.length > 0 ? 'killed' : 'survived' }
}
