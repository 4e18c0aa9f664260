import type { Mutant } from '../mutant.ts'
import { assistantCreateMutants } from './assistant-create.ts'
import { assistantReadMutants } from './assistant-read.ts'
import { assistantRunMutants } from './assistant-run.ts'

export const assistantMutants: readonly Mutant[] = [
  ...assistantCreateMutants,
  ...assistantRunMutants,
  ...assistantReadMutants,
]
