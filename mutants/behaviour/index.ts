import type { Mutant } from '../mutant.ts'
import { threadMutants } from './thread.ts'

/** The mutants written by hand, by topic. */
export const behaviourMutants: readonly Mutant[] = [...threadMutants]
