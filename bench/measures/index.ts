import type { Measure } from '../measure.ts'
import { cycles } from './cycles.ts'
import { evaluate } from './evaluate.ts'
import { exports } from './exports.ts'
import { files } from './files.ts'
import { filter } from './filter.ts'
import { firstEvents } from './first-event.ts'
import { growth } from './growth.ts'
import { livePage } from './live-page.ts'
import { memory } from './memory.ts'
import { mocks } from './mocks.ts'
import { page } from './page.ts'
import { schedules } from './schedules.ts'
import { start } from './start.ts'
import { suite } from './suite.ts'
import { threads } from './threads.ts'

/** All measures, in the order in which they run. */
export const measures: readonly Measure[] = [
  threads,
  cycles,
  firstEvents,
  start,
  memory,
  growth,
  mocks,
  suite,
  evaluate,
  page,
  livePage,
  files,
  exports,
  filter,
  schedules,
]
