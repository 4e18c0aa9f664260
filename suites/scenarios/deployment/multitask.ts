import type { Scenario } from '../scenario.ts'
import { enqueueScenarios } from './multitask-enqueue.ts'
import { interruptScenarios } from './multitask-interrupt.ts'
import { rejectScenarios } from './multitask-reject.ts'

export const multitaskScenarios: readonly Scenario[] = [...interruptScenarios, ...enqueueScenarios, ...rejectScenarios]
