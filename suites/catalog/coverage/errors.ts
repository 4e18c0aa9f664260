import { probes } from '../deployment/probes.ts'
import type { RequirementId } from '../generated/ids.ts'
import { coverage, leftOpen, stated } from './statement.ts'

export const errors = coverage('Errors', [
  stated('row 1, condition and status', 'Missing or invalid credentials have the status 401.', 'auth.refused.*'),
  stated(
    'row 1, message',
    'The handler chooses the message.',
    'errors.unauthenticated.detail-missing',
    'errors.unauthenticated.detail-wrong',
  ),
  stated(
    'row 2',
    'A key without permission: `Access denied`.',
    'export.errors.access-denied.refused',
    'export.errors.access-denied.text',
    'export.errors.wrong-secret',
  ),
  stated(
    'row 3a',
    'A bucket that does not exist: `Bucket is not valid`.',
    'export.errors.bucket-missing.refused',
    'export.errors.bucket-missing.text',
  ),
  stated(
    'row 3b',
    'A bucket that cannot be written to: `Bucket is not valid`. The same write falls under row 2, so either text passes.',
    'export.errors.access-denied.refused',
    'export.errors.access-denied.text',
  ),
  stated(
    'row 4',
    'An unknown key id: `Key ID you provided does not exist`.',
    'export.errors.unknown-key.refused',
    'export.errors.unknown-key.text',
  ),
  stated(
    'row 5a',
    'An endpoint that is not S3-compatible: `Invalid endpoint`.',
    'export.errors.endpoint-malformed.refused',
    'export.errors.endpoint-malformed.text',
    'export.errors.endpoint-no-store.refused',
    'export.errors.endpoint-no-store.text',
  ),
  stated(
    'row 5b',
    "A bucket in the cloud provider's own object store takes no endpoint URL.",
    'export.destination.native-region',
  ),
  stated(
    'row 6',
    'Known problems are in `errors` of the export run.',
    'export.errors.run.recorded',
    'export.errors.run.own',
    'export.errors.run.no-success',
    'export.errors.run.denied-recorded',
    'export.errors.run.each-recorded',
    'export.errors.run.denied-no-success',
  ),
  leftOpen(
    'item 1',
    'The form of error bodies.',
    'errors.body-shape',
    'errors.unauthenticated.body-shape',
    'export.errors.body',
  ),
  leftOpen('item 2', 'Status codes of the export API.', 'export.errors.status.*'),
  stated(
    'item 3a',
    'A request with `reject` on a busy thread harms no other run.',
    'multitask.reject.earlier-succeeds',
    'multitask.reject.earlier-outputs',
  ),
  leftOpen(
    'item 3b',
    'What `reject` does on a busy thread.',
    'multitask.reject.answer-on-busy-thread',
    'multitask.reject.trace-on-busy-thread',
    'multitask.default.on-busy-thread',
  ),
  leftOpen('item 4', 'Responses to unknown ids and invalid bodies.', ...probes.map(({ id }) => id as RequirementId)),
])
