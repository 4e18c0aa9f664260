import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Names that `export_fields` may hold, as the document lists them. */
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

/** Segments of the path of a file, in their order, after bucket and prefix. */
export const pathSegments = ['export_id', 'tenant_id', 'session_id', 'runs', 'year', 'month', 'day'] as const

const equivalent =
  'Compared as what they mean: numbers by value, times to the millisecond, objects as JSON in which null is as good as absent, ids and flags in any Parquet type.'

/** Exported records and files. */
export const fileRequirements: readonly Requirement[] = [
  ...section('export', 'Resources and their fields / Exported run record', [
    ...exportFields.map((name) =>
      must(`export.record.${name}.column`, `Without \`export_fields\`, files have the column \`${name}\`.`),
    ),
    must('export.record.tenant_id.column', 'Without `export_fields`, files have the column `tenant_id`.'),
    must('export.record.is_root.column', 'Without `export_fields`, files have the column `is_root`.'),
    ...exportFields.map((name) =>
      must(`export.record.${name}.value`, `\`${name}\` of an exported row is that of the run.`, {
        interpretation: equivalent,
      }),
    ),
    must('export.record.tenant_id.value', '`tenant_id` of an exported row is the workspace of the export.'),
    must('export.record.is_root.value', '`is_root` of an exported row tells whether the run has no parent.'),
    ...exportFields.map((name) => must(`export.fields.${name}.usable`, `\`export_fields\` may name \`${name}\`.`)),
    unspecified('export.record.columns', 'Which columns files have without `export_fields`.'),
    unspecified('export.record.types', 'Which types the columns have.'),
  ]),
  ...section('export', 'Resources and their fields / Exported file layout', [
    must('export.file.parquet', 'Files are written in Parquet format.'),
    must('export.file.prefix', 'The path of a file begins with the prefix of the destination.', {
      interpretation: 'A key that repeats the name of the bucket first is tolerated.',
    }),
    ...pathSegments.map((segment) =>
      must(
        `export.file.path.${segment}`,
        segment === 'runs'
          ? 'In the path of a file, the segment `runs` follows the session.'
          : `The path of a file has the segment \`${segment}=\` with the value of its rows, in its place.`,
        segment === 'month' || segment === 'day' ? { interpretation: 'Compared as a whole number.' } : {},
      ),
    ),
    must('export.file.partition', 'A row stands in the partition of its date.', {
      interpretation:
        'The date is that of its start time in UTC, to the millisecond; a time that was rounded up to midnight may be of either date.',
    }),
    must('export.file.rows.once', 'No run is exported twice.'),
    must('export.file.columns-equal', 'All files of an export have the same columns.', {
      interpretation: 'Without `export_fields` all exportable fields are included, whatever the records hold.',
    }),
    should('export.file.types-equal', 'A column has the same type in all files of an export.'),
    should('export.file.border', 'A run that starts exactly on the border of two windows is exported once.', {
      interpretation: 'To which of the two it belongs is left open.',
    }),
    must('export.file.border-kept', 'A run that starts exactly on the border of two windows is not lost.', {
      interpretation: 'To which of the two it belongs is left open.',
    }),
    unspecified(
      'export.file.border-side',
      'To which of two windows a run belongs that starts exactly on their border.',
    ),
    unspecified('export.file.names', 'How files are named.'),
    unspecified('export.file.padding', 'Whether month and day have a leading zero.'),
    unspecified('export.file.compression', 'How files are compressed.'),
    unspecified('export.file.order', 'In which order the rows of a file stand.'),
    unspecified('export.file.row-groups', 'How many rows a row group has.'),
  ]),
]
