import { must, type Requirement, section, unspecified } from '../requirement.ts'

const library = { excluded: 'This is a property of a client library; no server shows it.' }

/** Versions of the deployment API and its client library. */
export const versioningRequirements: readonly Requirement[] = section('deployment', 'Versioning', [
  must(
    'versioning.client-helper',
    'Client library versions from 0.1.73 on include a helper that detects users of the development UI.',
    library,
  ),
  must(
    'versioning.client-user-type',
    'With earlier client library versions, a handler checks the type of the user itself.',
    library,
  ),
  unspecified('versioning.scheme', 'How the deployment API reports its version.'),
  unspecified('versioning.deprecation', 'How the deployment API announces deprecations.'),
])
