import { exportFields } from '../export/files.ts'
import { coverage, leftOpen, stated } from './statement.ts'

export const record = coverage('Resources and their fields / Exported run record', [
  stated(
    'sentence 1a',
    'A row is a run record with the fields of the run data format.',
    ...exportFields.map((name) => `export.record.${name}.*` as const),
  ),
  stated('sentence 1b', 'A row has `tenant_id`.', 'export.record.tenant_id.*'),
  stated('sentence 1c', 'A row has `is_root`.', 'export.record.is_root.*'),
  stated(
    'sentence 2',
    'Ten field names are usable in `export_fields`.',
    ...exportFields.map((name) => `export.fields.${name}.usable` as const),
  ),
  leftOpen('sentence 3', 'The complete list of fields.', 'export.record.columns', 'export.record.types'),
])
