import { coverage, leftOpen, stated } from './statement.ts'

export const authenticationExport = coverage('Authentication / Bulk export API', [
  stated('item 1', 'Every request needs a valid API key.', 'export.auth.api-key.*', 'export.auth.unknown-key.*'),
  stated('item 2a', 'Every request needs a workspace.', 'export.auth.tenant-id.*'),
  stated('item 2b', 'The workspace limits what a request reaches.', 'export.auth.workspace.*'),
  leftOpen('item 2c', 'A workspace that the key does not belong to.', 'export.auth.foreign-workspace'),
  stated(
    'item 3',
    'The credentials of a destination authorize the writes.',
    'export.auth.bucket',
    'export.errors.access-denied.refused',
    'export.errors.run.denied-no-success',
  ),
])
