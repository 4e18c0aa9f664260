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
