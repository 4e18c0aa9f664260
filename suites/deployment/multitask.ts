import type { Check } from '../harness/check.ts'
import { enqueueChecks } from './multitask-enqueue.ts'
import { interruptChecks } from './multitask-interrupt.ts'
import { interruptBoundsChecks } from './multitask-interrupt-bounds.ts'
import { multitaskModelChecks } from './multitask-model.ts'
import { rejectChecks } from './multitask-reject.ts'

export const multitaskChecks: readonly Check[] = [
  ...interruptChecks,
  ...interruptBoundsChecks,
  ...enqueueChecks,
  ...rejectChecks,
  ...multitaskModelChecks,
]
