import { coverage, leftOpen, stated } from './statement.ts'

export const limits = coverage('Limits', [
  stated('row 1', '`interval_hours` is an integer from 1 to 168.', 'export.limits.hours.*'),
  stated('row 2', 'An export runs for at most 24 hours.', 'export.limits.timeout'),
  stated('row 3', 'A spawned export starts ten minutes after the end of its window.', 'export.schedule.delay'),
  stated('row 4', 'The number of concurrent exports is limited.', 'export.limits.concurrent'),
  stated(
    'paragraph, sentence 1a',
    'A one-off export needs a start and an end.',
    'export.create.start_time.required',
    'export.create.end_time.required',
  ),
  stated(
    'paragraph, sentence 1b',
    'A scheduled export must not have an end.',
    'export.create.scheduled.end-time-refused',
  ),
  leftOpen(
    'paragraph, sentence 2',
    'Limits of rates, request sizes and pages.',
    'limits.*',
    'export.limits.rate',
    'export.limits.request-size',
    'export.limits.page-size',
  ),
])

export const versioning = coverage('Versioning', [
  stated('item 1', 'Paths of the export API begin with `/api/v1`.', 'export.versioning.prefix'),
  stated('row 1a', '`session_token` needs chart 0.10.34 and application 0.10.91.', 'export.versioning.session-token.*'),
  stated('row 1b', 'Credentials of the environment need the same versions.', 'export.versioning.ambient-credentials.*'),
  stated(
    'row 2',
    'Scheduled exports need chart 0.10.42 and application 0.10.109.',
    'export.versioning.interval-hours.*',
  ),
  stated('row 3', '`export_fields` needs chart 0.12.11 and application 0.12.42.', 'export.versioning.export-fields.*'),
  stated(
    'item 3a',
    'Client library 0.1.73 has a helper that detects users of the development UI.',
    'versioning.client-helper',
  ),
  stated('item 3b', 'Older client libraries have no helper.', 'versioning.client-user-type'),
  leftOpen('item 4', 'Versions and deprecation of the deployment API.', 'versioning.scheme', 'versioning.deprecation'),
])
