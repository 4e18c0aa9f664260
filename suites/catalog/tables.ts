import { assistantTable, createdAssistantTable, defaultAssistantTable } from './deployment/assistant.ts'
import { configMetadataTable, configTable, configurableTable, kwargsTable } from './deployment/kwargs.ts'
import { aiTable, callingTable, humanTable, plainTable, toolCallTable, toolTable } from './deployment/message-fields.ts'
import { runTable } from './deployment/run.ts'
import { stateMetadataTable, stateTable, stateValuesTable } from './deployment/state.ts'
import {
  metadataEventTable,
  updatedAiTable,
  updatedCallTable,
  updatedPlainTable,
  updatedToolTable,
} from './deployment/stream-fields.ts'
import { threadTable } from './deployment/thread.ts'
import { createdTable, exportTable, listedTable } from './export/bulk-export.ts'
import { destinationTable } from './export/destination.ts'
import { exportRunTable } from './export/export-run.ts'
import type { FieldTable } from './fields.ts'

/** All field tables, in the order of the specification. */
export const fieldTables: readonly FieldTable[] = [
  threadTable,
  runTable,
  kwargsTable,
  configTable,
  configMetadataTable,
  configurableTable,
  assistantTable,
  defaultAssistantTable,
  createdAssistantTable,
  stateTable,
  stateValuesTable,
  stateMetadataTable,
  humanTable,
  aiTable,
  plainTable,
  callingTable,
  toolCallTable,
  toolTable,
  metadataEventTable,
  updatedAiTable,
  updatedCallTable,
  updatedPlainTable,
  updatedToolTable,
  destinationTable,
  createdTable,
  exportTable,
  listedTable,
  exportRunTable,
]
