import { coverage, leftOpen, stated } from './statement.ts'

export const exportStatus = coverage('States and transitions / Export status', [
  stated(
    'row 1, state',
    'A cancellation is possible for any export: one-off, scheduled or completed.',
    'export.cancel.one-off',
    'export.cancel.scheduled',
    'export.cancel.completed',
  ),
  stated('row 1, trigger', 'A PATCH with `Cancelled` cancels an export.', 'export.cancel.accepted'),
  stated('row 1, condition', 'The export exists.', 'export.cancel.unknown'),
  stated(
    'row 1, next state',
    'The export becomes `Cancelled` and stays so.',
    'export.cancel.one-off',
    'export.cancel.scheduled',
    'export.cancel.only-named',
    'export.cancel.stays',
    'export.cancel.stops-writing',
  ),
  stated('row 1, effect a', 'A cancelled export cannot be restarted.', 'export.cancel.no-restart'),
  stated('row 1, effect b', 'A new export can take its place.', 'export.cancel.new-export'),
  stated('row 1, effect c', 'A cancelled schedule spawns nothing further.', 'export.cancel.stops-spawning'),
  stated(
    'row 1, effect d',
    'Cancelling a schedule spares the exports that it has spawned.',
    'export.cancel.spares-spawned',
  ),
  stated('row 1, effect e', 'Spawned exports are cancelled one by one.', 'export.cancel.spawned-alone'),
  leftOpen(
    'paragraph',
    'Other statuses and transitions.',
    'export.status.*',
    'export.cancel.twice',
    'export.cancel.other-status',
    'export.cancel.empty',
    'export.cancel.runs',
  ),
])
