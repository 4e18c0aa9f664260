import type { Measure } from '../measure.ts'
import { cycles } from './cycles.ts'
import { firstEvents } from './first-event.ts'
import { growth } from './growth.ts'
import { memory } from './memory.ts'
import { start } from './start.ts'
import { suite } from './suite.ts'
import { threads } from './threads.ts'

/** Every measure, in the order in which they run. */
export const measures: readonly Measure[] = [threads, cycles, firstEvents, start, memory, growth, suite]
