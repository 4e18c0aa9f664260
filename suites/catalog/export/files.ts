import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Names for `export_fields` that the specification lists. */
export const exportFields = [
  'id',
  'name',
  'run_type',
  'start_time',
  'end_time',
  'status',
  'total_tokens',
  'total_cost',
  'inputs',
  'outputs',
] as const

/** Segments of the path of a file after bucket and prefix, in order. */
export const pathSegments = ['export_id', 'tenant_id', 'session_id', 'runs', 'year', 'month', 'day'] as const

const equivalent =
  'Numbers are compared by value, times to the millisecond, objects as JSON in which a null key may be absent, and ids and booleans in any Parquet type.'
const border = { interpretation: 'The specification does not say to which window it belongs.' }

/** Requirements of exported runs and files. */
export const fileRequirements: readonly Requirement[] = [
  ...section('export', 'Resources and their fields / Exported run record', [
    ...exportFields.map((name) =>
      must(`export.record.${name}.column`, `Without \`export_fields\`, files have the column \`${name}\`.`),
    ),
    must('export.record.tenant_id.column', 'Without `export_fields`, files have the column `tenant_id`.'),
    must('export.record.is_root.column', 'Without `export_fields`, files have the column `is_root`.'),
    ...exportFields.map((name) =>
      must(`export.record.${name}.value`, `\`${name}\` of an exported run has the value of the run.`, {
        interpretation: equivalent,
      }),
    ),
    must('export.record.tenant_id.value', '`tenant_id` of an exported run is the workspace of the export.'),
    must(
      'export.record.is_root.value',
      '`is_root` of an exported run is true if the run has no parent, and false otherwise.',
    ),
    ...exportFields.map((name) => must(`export.fields.${name}.usable`, `\`export_fields\` accepts \`${name}\`.`)),
    unspecified('export.record.columns', 'Which columns files have without `export_fields`.'),
    unspecified('export.record.types', 'Which types the columns have.'),
  ]),
  ...section('export', 'Resources and their fields / Exported file layout', [
    must('export.file.parquet', 'Files are in Parquet format.'),
    must('export.file.prefix', 'The path of a file begins with the prefix of the destination.', {
      interpretation: 'A key that repeats the bucket name before the prefix passes.',
    }),
    ...pathSegments.map((segment) =>
      must(
        `export.file.path.${segment}`,
        segment === 'runs'
          ? 'The path of a file has the segment `runs` after `session_id=`.'
          : `The path of a file has the segment \`${segment}=\` with the value of its runs, in the documented place.`,
        segment === 'month' || segment === 'day'
          ? { interpretation: 'Compared as a whole number, so a leading zero is optional.' }
          : {},
      ),
    ),
    must('export.file.partition', 'Each exported run is in the partition of its date.', {
      interpretation:
        'The date is that of `start_time` in UTC; a time that is rounded up to midnight may be in either partition.',
    }),
    must('export.file.rows.once', 'Each run is exported once.'),
    must('export.file.columns-equal', 'All files of an export have the same columns.', {
      interpretation:
        'Without `export_fields`, all exportable fields are included, regardless of what the runs contain.',
    }),
    should('export.file.types-equal', 'A column has the same type in all files of an export.'),
    should('export.file.border', 'A run that starts exactly on the border of two windows is exported once.', border),
    must(
      'export.file.border-kept',
      'A run that starts exactly on the border of two windows is in at least one of their exports.',
      border,
    ),
    unspecified('export.file.border-side', 'Which of two windows contains a run that starts exactly on their border.'),
    unspecified('export.file.names', 'How files are named.'),
    unspecified('export.file.padding', 'Whether month and day have a leading zero.'),
    unspecified('export.file.compression', 'How files are compressed.'),
    unspecified('export.file.order', 'The order of rows in a file.'),
    unspecified('export.file.row-groups', 'How many rows a row group has.'),
  ]),
]
