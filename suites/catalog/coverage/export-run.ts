import { coverage, leftOpen, stated } from './statement.ts'

export const exportRun = coverage('Resources and their fields / Export run', [
  stated('sentence 1', 'An export has an export run for each date.', 'export.run.per-date', 'export.run.empty-date'),
  stated('sentence 2a', 'An export run shows its id.', 'export.run.id'),
  stated('sentence 2b', 'An export run shows its status.', 'export.run.status', 'export.run.statuses'),
  stated('sentence 2c', 'An export run shows its creation time.', 'export.run.creation-time'),
  stated('sentence 2d', 'An export run shows the number of exported rows.', 'export.run.rows'),
  stated('sentence 2e', 'An export run has `errors`.', 'export.run.fields.errors.present', 'export.errors.run.form'),
  stated(
    'sentence 2f',
    '`errors` is filled for known errors.',
    'export.errors.run.recorded',
    'export.errors.run.denied-recorded',
  ),
  stated('sentence 2g', '`errors` is not filled where nothing went wrong.', 'export.errors.run.none-on-success'),
  leftOpen('sentence 3', 'Names of the other fields.', 'export.run.names'),
])
