import { must, type Requirement, section, unspecified } from '../requirement.ts'

/** Requirements of GET /threads; the specification shows only its use with credentials. */
export const threadListRequirements: readonly Requirement[] = section(
  'deployment',
  'Endpoints / A. Deployment API / GET /threads',
  [
    must('thread.list.accepts-credentials', 'GET /threads with valid credentials is not rejected as unauthorized.', {
      profile: 'custom-auth',
      interpretation: 'The specification does not define the response: only 401 and 403 fail.',
    }),
    unspecified('thread.list.shape', 'What GET /threads returns.'),
    unspecified('thread.list.filters', 'Which filters GET /threads supports.'),
  ],
)
