import type { Check } from '../harness/check.ts'
import { enqueueChecks } from './multitask-enqueue.ts'
import { interruptChecks } from './multitask-interrupt.ts'
import { multitaskModelChecks } from './multitask-model.ts'
import { rejectChecks } from './multitask-reject.ts'

export const multitaskChecks: readonly Check[] = [
  ...interruptChecks,
  ...enqueueChecks,
  ...rejectChecks,
  ...multitaskModelChecks,
]
