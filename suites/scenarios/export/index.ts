import type { Scenario } from '../scenario.ts'
import { accessScenarios } from './access.ts'
import { cancelScenarios } from './cancel.ts'
import { createScenarios } from './create.ts'
import { destinationScenarios } from './destinations.ts'
import { errorScenarios } from './errors.ts'
import { fieldScenarios } from './fields.ts'
import { fileScenarios } from './files.ts'
import { filterScenarios } from './filters.ts'
import { readScenarios } from './read.ts'
import { scheduleScenarios } from './schedule.ts'
import { secretScenarios } from './secrets.ts'
import { versionScenarios } from './versions.ts'
import { windowScenarios } from './window.ts'

/** Scenarios of the bulk export API; while the runs of the window are exported, others run that need none. */
export const exportScenarios: readonly Scenario[] = [
  ...scheduleScenarios,
  ...windowScenarios,
  ...cancelScenarios,
  ...destinationScenarios,
  ...errorScenarios,
  ...createScenarios,
  ...readScenarios,
  ...accessScenarios,
  ...fileScenarios,
  ...fieldScenarios,
  ...filterScenarios,
  ...versionScenarios,
  ...secretScenarios,
]
