import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, jsonBody, pathIds } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { type Route, respondInstead } from '../../wrappers/routes.ts'
import type { Choice } from '../choice.ts'

type Fields = Readonly<Record<string, unknown>>

/** How long a thread is busy after a run has ended, in milliseconds. */
const releaseMs = 200

/** Runs that are created while another one is in flight. */
export const concurrencyChoices: readonly Choice[] = [
  {
    id: 'multitask.reject',
    description: 'What happens to a run that is created with `reject` on a busy thread.',
    legal: 'multitask.reject.answer-on-busy-thread: not shown (ruling 4)',
    area: 'deployment',
    values: { queued: { policies: ({ multitask }) => ({ multitask: { ...multitask, reject: multitask.enqueue } }) } },
  },
  {
    id: 'multitask.interrupt',
    description: 'What happens to queued runs when a run interrupts.',
    legal: 'multitask.interrupt.queued-run: not shown (ruling 6)',
    area: 'deployment',
    values: {
      'queued-runs-stay': {
        policies: ({ multitask }) => ({
          multitask: {
            ...multitask,
            interrupt: ({ jobs: [first], interrupt }) => {
              if (first !== undefined) interrupt(first)
            },
          },
        }),
      },
    },
  },
  {
    id: 'thread.release',
    description: 'When a thread is idle after a run.',
    legal: 'Thread status, transitions: not shown',
    area: 'deployment',
    values: {
      late: {
        wrap: combine(
          ...['', '/stream', '/wait'].map((end) =>
            refuseFreshThreads({ ...createRun, path: `${createRun.path}${end}` }),
          ),
        ),
      },
    },
  },
]

/** Refuses runs with `reject` on a thread on which a run ended a moment ago. */
function refuseFreshThreads(route: Route): Wrap {
  return respondInstead(route, async (request, inner) => {
    const { multitask_strategy: strategy = 'reject' } = await jsonBody(request)
    if (strategy !== 'reject') return inner(request)
    const { origin } = new URL(request.url)
    const { threadId } = pathIds(request)
    const { headers } = request
    const list = await inner(new Request(`${origin}/threads/${threadId}/runs`, { headers: authorization(headers) }))
    const runs: unknown = list.ok ? await list.json() : []
    const isFresh = (run: Fields) => Date.now() - Date.parse(String(run['updated_at'])) < releaseMs
    const isBusy = (runs as Fields[]).some((run) => run['status'] !== 'pending' && isFresh(run))
    return isBusy ? Response.json({ detail: 'the thread is busy' }, { status: 409 }) : inner(request)
  })
}

function authorization(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'content-length' && name !== 'content-type'))
}
