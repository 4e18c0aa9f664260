import { exportFields } from '../export/files.ts'
import { coverage, leftOpen, stated } from './statement.ts'

export const files = coverage('Resources and their fields / Exported file layout', [
  stated('path, bucket', 'Files are in the bucket of the destination.', 'export.service.own-bucket'),
  stated(
    'path, prefix',
    'Paths begin with the prefix of the destination.',
    'export.file.prefix',
    'export.destination.prefix.confines',
  ),
  stated(
    'path, export_id',
    'The first segment names the export.',
    'export.file.path.export_id',
    'export.schedule.own-path',
  ),
  stated('path, tenant_id', 'The second segment names the workspace.', 'export.file.path.tenant_id'),
  stated('path, session_id', 'The third segment names the project.', 'export.file.path.session_id'),
  stated('path, runs', 'The fourth segment is `runs`.', 'export.file.path.runs'),
  stated('path, year', 'The fifth segment names the year.', 'export.file.path.year'),
  stated('path, month', 'The sixth segment names the month.', 'export.file.path.month'),
  stated('path, day', 'The seventh segment names the day.', 'export.file.path.day'),
  stated(
    'partitions',
    'Segments partition the rows: each row is in the partition of its date, and in no other.',
    'export.file.partition',
    'export.file.rows.once',
  ),
  stated(
    'format',
    'Files have the Parquet format and share one schema.',
    'export.file.parquet',
    'export.file.columns-equal',
    'export.file.types-equal',
  ),
  leftOpen(
    'form',
    'Names, padding, compression, order of rows and size of row groups.',
    'export.file.names',
    'export.file.padding',
    'export.file.compression',
    'export.file.order',
    'export.file.row-groups',
  ),
])

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
