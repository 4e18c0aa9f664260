import { leftOpen, type SectionCoverage, stated } from './statement.ts'

export const record: SectionCoverage = {
  section: 'Resources and their fields / Exported run record',
  statements: [
    stated(
      'sentence 1a',
      'A row is a run record with the fields of the run data format.',
      'export.record.id.*',
      'export.record.name.*',
      'export.record.run_type.*',
      'export.record.start_time.*',
      'export.record.end_time.*',
      'export.record.status.*',
      'export.record.total_tokens.*',
      'export.record.total_cost.*',
      'export.record.inputs.*',
      'export.record.outputs.*',
    ),
    stated('sentence 1b', 'A row has `tenant_id`.', 'export.record.tenant_id.*'),
    stated('sentence 1c', 'A row has `is_root`.', 'export.record.is_root.*'),
    stated(
      'sentence 2',
      'Ten field names are usable in `export_fields`.',
      'export.fields.id.usable',
      'export.fields.name.usable',
      'export.fields.run_type.usable',
      'export.fields.start_time.usable',
      'export.fields.end_time.usable',
      'export.fields.status.usable',
      'export.fields.total_tokens.usable',
      'export.fields.total_cost.usable',
      'export.fields.inputs.usable',
      'export.fields.outputs.usable',
    ),
    leftOpen('sentence 3', 'The complete list of fields.', 'export.record.columns', 'export.record.types'),
  ],
}
