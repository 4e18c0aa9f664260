import type { Mutant } from '../mutant.ts'
import { respondInstead } from '../responses.ts'

const list = { method: 'GET', path: '/threads' }

export const threadListMutants: readonly Mutant[] = [
  {
    id: 'thread.list.credentials-unread',
    defect: 'GET /threads returns 401 for valid credentials',
    requirements: ['thread.list.accepts-credentials'],
    wrap: respondInstead(list, async () => Response.json({ detail: 'Not authenticated' }, { status: 401 })),
  },
  {
    id: 'thread.list.forbidden',
    defect: 'GET /threads returns 403 for valid credentials',
    requirements: ['thread.list.accepts-credentials'],
    wrap: respondInstead(list, async (request, fetch) => {
      const response = await fetch(request)
      return response.ok ? Response.json({ detail: 'Forbidden' }, { status: 403 }) : response
    }),
  },
]
