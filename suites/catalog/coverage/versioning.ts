import { coverage, leftOpen, stated } from './statement.ts'

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
