import { assistant } from './assistant.ts'
import { authenticationDeployment, authenticationExport } from './authentication.ts'
import { bulkExport, exportRun } from './bulk-export.ts'
import { deploymentEndpoints } from './deployment-endpoints.ts'
import { destination } from './destination.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { exportEndpoints } from './export-endpoints.ts'
import { exportRules } from './export-rules.ts'
import { exportStatus } from './export-status.ts'
import { files, record } from './files.ts'
import { kwargs } from './kwargs.ts'
import { limits, versioning } from './limits-and-versioning.ts'
import { message } from './message.ts'
import { run } from './run.ts'
import { runStatus } from './run-status.ts'
import { introduction, service } from './service.ts'
import { state } from './state.ts'
import type { SectionCoverage } from './statement.ts'
import { thread, threadStatus } from './thread.ts'

/** All statements of the specification by section, in its order. */
export const sections: readonly SectionCoverage[] = [
  introduction,
  service,
  thread,
  run,
  kwargs,
  assistant,
  state,
  message,
  destination,
  bulkExport,
  exportRun,
  record,
  files,
  runStatus,
  threadStatus,
  exportStatus,
  deploymentEndpoints,
  exportEndpoints,
  exportRules,
  authenticationExport,
  authenticationDeployment,
  events,
  errors,
  limits,
  versioning,
]
