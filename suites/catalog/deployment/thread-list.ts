import { must, open, type Requirement, section } from '../requirement.ts'

/** GET /threads: known from its use with credentials only. */
export const threadListRows: readonly Requirement[] = section(
  'deployment',
  'Endpoints / A. Deployment API / GET /threads',
  [
    must(
      'thread.list.accepts-credentials',
      'GET /threads is not refused as unauthorized where valid credentials come.',
      {
        claim: 'custom-auth',
        reading: 'The answer is left open: judged is only that it is neither 401 nor 403.',
      },
    ),
    open('thread.list.shape', 'What GET /threads answers.'),
    open('thread.list.filters', 'Which filters GET /threads knows.'),
  ],
)
