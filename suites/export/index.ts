import type { Check } from '../harness/check.ts'
import { accessChecks } from './access.ts'
import { borderChecks } from './borders.ts'
import { cancelChecks } from './cancel.ts'
import { createChecks } from './create.ts'
import { destinationChecks } from './destinations.ts'
import { errorChecks } from './errors.ts'
import { fieldChecks } from './fields.ts'
import { fileChecks } from './files.ts'
import { filterChecks } from './filters.ts'
import { readChecks } from './read.ts'
import { scheduleChecks } from './schedule.ts'
import { secretChecks } from './secrets.ts'
import { versionChecks } from './versions.ts'
import { wholeRowChecks } from './whole-rows.ts'

/** The checks of the bulk export API; those that take longest come first. */
export const exportChecks: readonly Check[] = [
  ...scheduleChecks,
  ...borderChecks,
  ...wholeRowChecks,
  ...fileChecks,
  ...fieldChecks,
  ...filterChecks,
  ...cancelChecks,
  ...createChecks,
  ...readChecks,
  ...destinationChecks,
  ...errorChecks,
  ...accessChecks,
  ...versionChecks,
  ...secretChecks,
]
