import { assistant } from './assistant.ts'
import { authenticationDeployment } from './authentication-deployment.ts'
import { authenticationExport } from './authentication-export.ts'
import { bulkExport } from './bulk-export.ts'
import { deploymentEndpoints } from './deployment-endpoints.ts'
import { destination } from './destination.ts'
import { errors } from './errors.ts'
import { events } from './events.ts'
import { exportEndpoints } from './export-endpoints.ts'
import { exportRules } from './export-rules.ts'
import { exportRun } from './export-run.ts'
import { exportStatus } from './export-status.ts'
import { files } from './files.ts'
import { introduction } from './introduction.ts'
import { kwargs } from './kwargs.ts'
import { limits } from './limits.ts'
import { message } from './message.ts'
import { record } from './record.ts'
import { run } from './run.ts'
import { runStatus } from './run-status.ts'
import { service } from './service.ts'
import { state } from './state.ts'
import type { SectionCoverage } from './statement.ts'
import { thread } from './thread.ts'
import { threadStatus } from './thread-status.ts'
import { versioning } from './versioning.ts'

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
