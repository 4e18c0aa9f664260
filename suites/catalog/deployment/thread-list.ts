import { must, type Requirement, section, unspecified } from '../requirement.ts'

/** GET /threads: known from its use with credentials only. */
export const threadListRequirements: readonly Requirement[] = section(
  'deployment',
  'Endpoints / A. Deployment API / GET /threads',
  [
    must(
      'thread.list.accepts-credentials',
      'GET /threads is not refused as unauthorized where valid credentials come.',
      {
        profile: 'custom-auth',
        interpretation: 'The answer is left open: judged is only that it is neither 401 nor 403.',
      },
    ),
    unspecified('thread.list.shape', 'What GET /threads answers.'),
    unspecified('thread.list.filters', 'Which filters GET /threads knows.'),
  ],
)
