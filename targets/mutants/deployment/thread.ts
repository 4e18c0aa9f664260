import { createThread } from '../../wrappers/requests.ts'
import { combine, json } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { shifted } from '../values.ts'

const list = { method: 'GET', path: '/threads' }

export const threadMutants: readonly Mutant[] = mutantsOf({
  'thread.create.empty-object-refused': {
    defect: 'POST /threads requires metadata',
    requirements: ['thread.create.accepts-empty-object'],
    wrap: respondInstead(createThread, async () => Response.json({ detail: 'metadata is required' }, { status: 422 })),
  },
  'thread.create.answers-text': {
    defect: 'POST /threads returns only the id, as text',
    requirements: ['thread.create.answers-json'],
    wrap: respondInstead(createThread, async (request, fetch) => {
      const { thread_id } = (await (await fetch(request)).json()) as { thread_id: string }
      return new Response(`created ${thread_id}`)
    }),
  },
  'thread.create.id-reused': {
    defect: 'every second thread has the id of the previous one',
    requirements: ['thread.create.fresh-id'],
    nondeterministic: 'concurrent checks share threads',
    wrap: (fetch) => {
      const ids: unknown[] = []
      return changeResponse(createThread, (body) =>
        changeAt(body, ['thread_id'], (id) => (ids.push(id) % 2 === 0 ? ids.at(-2) : id)),
      )(fetch)
    },
  },
  'thread.updated-before-created': {
    defect: 'updated_at of a new thread is a minute before created_at',
    requirements: ['thread.updated-not-before-created'],
    wrap: changeResponse(createThread, (body) =>
      changeAt(body, ['updated_at'], (time) => new Date(Date.parse(String(time)) - 60_000).toISOString()),
    ),
  },
  'thread.times.local': {
    defect: 'all times are local times of another time zone, marked as UTC',
    requirements: ['thread.times-current', 'run.times-current', 'state.time-current'],
    wrap: json((body) => {
      const shift = (name: string, value: unknown) => (/^(created|updated)_at$/.test(name) ? shifted(value, 2) : value)
      return JSON.parse(JSON.stringify(body), shift)
    }),
  },
  'thread.times.constant': {
    defect: 'all threads have the time of the first one',
    requirements: ['thread.times-current'],
    wrap: (fetch) => {
      let first: unknown
      const change = (name: string) => (thread: unknown) => changeAt(thread, [name], (time) => (first ??= time))
      return combine(
        changeResponse(createThread, change('created_at')),
        changeResponse(createThread, change('updated_at')),
      )(fetch)
    },
  },
  'thread.times.updated-local': {
    defect: '`updated_at` of a new thread is a local time of another time zone, marked as UTC',
    requirements: ['thread.times-current'],
    wrap: changeResponse(createThread, (thread) => changeAt(thread, ['updated_at'], (time) => shifted(time, 2))),
  },
  'thread.list.credentials-unread': {
    defect: 'GET /threads returns 401 for valid credentials',
    requirements: ['thread.list.accepts-credentials'],
    alsoFails: {
      'errors.unauthenticated.detail-missing': 'the same 401 for a request without credentials has another detail',
      'errors.unauthenticated.detail-wrong': 'the same 401 for a request with wrong credentials has another detail',
    },
    wrap: respondInstead(list, async () => Response.json({ detail: 'Not authenticated' }, { status: 401 })),
  },
  'thread.list.forbidden': {
    defect: 'GET /threads returns 403 for valid credentials',
    requirements: ['thread.list.accepts-credentials'],
    wrap: respondInstead(list, async (request, fetch) => {
      const response = await fetch(request)
      return response.ok ? Response.json({ detail: 'Forbidden' }, { status: 403 }) : response
    }),
  },
})
