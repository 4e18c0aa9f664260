import { must, type Requirement, section, unspecified } from '../requirement.ts'

const library = 'a property of a client library; no server shows it'

/** Versioning, as far as it touches the deployment API. */
export const versioningRequirements: readonly Requirement[] = section('deployment', 'Versioning', [
  must(
    'versioning.client-helper',
    'A helper that detects users of the development UI exists in the client library from version 0.1.73.',
    { excluded: library },
  ),
  must('versioning.client-user-type', 'With older client libraries a handler tests the type of the user directly.', {
    excluded: library,
  }),
  unspecified('versioning.scheme', 'How the deployment API tells its version.'),
  unspecified('versioning.deprecation', 'How the deployment API announces that something is deprecated.'),
])
