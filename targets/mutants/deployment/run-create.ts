import { setTimeout as delay } from 'node:timers/promises'
import { listAt } from '../../../suites/values/json.ts'
import {
  changeRequest,
  createRun,
  errorResponse,
  getRun,
  getState,
  jsonBody,
  pathIds,
  rejectRequest,
} from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { shifted } from '../values.ts'

const strategies = ['reject', 'enqueue', 'interrupt'] as const
const unknownName = 'touchstone-no-such-graph'

export const runCreateMutants: readonly Mutant[] = [
  ...mutantsOf({
    'run.create.answers-array': {
      defect: 'run creation returns the run in an array',
      requirements: ['run.create.answers-run'],
      wrap: changeResponse(createRun, (run) => [run]),
    },
    'run.create.refused': {
      defect: 'POST /threads/{thread_id}/runs returns 404',
      requirements: ['run.create.answers-run'],
      wrap: respondInstead(createRun, async () => errorResponse(404)),
    },
    'run.create.refused-at-times': {
      defect: 'the third request with a strategy for a run on a new thread is answered with 500',
      requirements: ['run.create.answers-run'],
      nondeterministic: 'which request is the third depends on timing',
      wrap: (fetch) => {
        const threads = new Map<unknown, Set<string>>()
        return respondInstead(createRun, async (request, next) => {
          const { multitask_strategy: strategy, input } = await jsonBody(request)
          const used = threads.get(strategy) ?? new Set()
          const isThird = used.size === 2 && !used.has(request.url) && input !== undefined
          if (input !== undefined) threads.set(strategy, used.add(request.url))
          return isThird ? errorResponse(500) : next(request)
        })(fetch)
      },
    },
    'run.create.status-running': {
      defect: 'run creation returns the status running',
      requirements: ['run.create.status-pending'],
      wrap: changeResponse(createRun, (run) => ({ ...Object(run), status: 'running' })),
    },
    'run.create.status-success': {
      defect: 'run creation returns the final status of the run',
      requirements: ['run.create.status-pending'],
      wrap: changeResponse(createRun, (run) => ({ ...Object(run), status: 'success' })),
    },
    'run.create.deduplicated': {
      defect: 'a run of the same assistant with the same input within a second is the earlier one, on any thread',
      requirements: ['run.create.fresh-id'],
      wrap: (fetch) => {
        const created = new Map<string, { readonly at: number; readonly response: Response }>()
        return respondInstead(createRun, async (request, next) => {
          const { assistant_id, input } = await jsonBody(request)
          const key = JSON.stringify([assistant_id, input])
          const earlier = created.get(key)
          if (earlier !== undefined && performance.now() - earlier.at < 1000) return earlier.response.clone()
          const response = await next(request)
          if (response.ok) created.set(key, { at: performance.now(), response: response.clone() })
          return response
        })(fetch)
      },
    },
    'run.create.id-reused': {
      defect: 'concurrently created runs of a thread have the same id',
      requirements: ['run.create.fresh-id'],
      wrap: (fetch) => {
        const creating = new Map<string, Promise<unknown>>()
        return respondInstead(createRun, async (request, next) => {
          const concurrent = creating.get(request.url)
          const pending = new Promise((resolve) => setTimeout(resolve, 10)).then(() => next(request))
          creating.set(
            request.url,
            pending.then((response) => response.clone().json()),
          )
          const response = await pending
          creating.delete(request.url)
          if (concurrent === undefined || !response.ok) return response
          const run_id = Object(await concurrent)['run_id']
          return Response.json({ ...Object(await response.json()), run_id })
        })(fetch)
      },
    },
    'run.create.assistant-id.defaulted': {
      defect: 'run creation without assistant_id executes the first graph',
      requirements: ['run.create.assistant-id.required'],
      wrap: changeRequest(createRun, (body) => ({ assistant_id: 'echo', ...body })),
    },
    'run.create.assistant-id.recorded': {
      defect: 'run creation without assistant_id is rejected but still creates a run',
      requirements: ['run.create.assistant-id.required'],
      wrap: respondInstead(createRun, async (request, fetch) => {
        const body = await jsonBody(request)
        if ('assistant_id' in body) return fetch(request)
        await changeRequest(createRun, () => ({ ...body, assistant_id: 'echo' }))(fetch)(request)
        return errorResponse(422)
      }),
    },
    'run.create.assistant-id.unknown-id-replaced': {
      defect: 'run creation with an unknown assistant id executes the first graph',
      requirements: ['run.create.assistant-id.unknown-id'],
      wrap: respondInstead(createRun, async (request, fetch) => {
        const body = await jsonBody(request)
        const copy = request.clone()
        const response = await fetch(request)
        const isId = /^[0-9a-f-]{36}$/.test(String(body['assistant_id']))
        if (response.status !== 404 || !isId) return response
        return changeRequest(createRun, () => ({ ...body, assistant_id: 'echo' }))(fetch)(copy)
      }),
    },
    'run.create.assistant-id.unknown-name-replaced': {
      defect: 'run creation with an unknown graph name executes the first graph',
      requirements: ['run.create.assistant-id.unknown-name'],
      wrap: changeRequest(createRun, (body) =>
        body['assistant_id'] === unknownName ? { ...body, assistant_id: 'echo' } : body,
      ),
    },
    'run.create.assistant-id.suffix-ignored': {
      defect: 'run creation ignores a suffix of a graph name, such as -unknown',
      requirements: ['run.create.assistant-id.unknown-name'],
      wrap: changeRequest(createRun, ({ assistant_id, ...body }) => ({
        ...body,
        ...(assistant_id !== undefined && { assistant_id: String(assistant_id).replace(/^([a-z]+)-unknown$/, '$1') }),
      })),
    },
    'run.create.assistant-id.unknown-id-stored': {
      defect: 'a run with an unknown assistant id is refused, but its input is added to the state',
      requirements: ['run.create.assistant-id.unknown-id'],
      wrap: (fetch) => {
        const refused = new Map<string, readonly unknown[]>()
        const pathOf = ({ url }: Request, suffix: string) => new URL(url).pathname.replace(suffix, '')
        return combine(
          respondInstead(createRun, async (request, inner) => {
            const { input } = await jsonBody(request)
            const response = await inner(request)
            if (response.status === 404) refused.set(pathOf(request, '/runs'), listAt(input, 'messages'))
            return response
          }),
          changeResponse(getState, (state, request) =>
            changeAt(state, ['values', 'messages'], (messages) => {
              const added = refused.get(pathOf(request, '/state')) ?? []
              return Array.isArray(messages) ? [...added, ...messages] : messages
            }),
          ),
        )(fetch)
      },
    },
    'run.create.input.refused': {
      defect: 'run creation rejects the field `input`',
      requirements: ['run.create.input.accepted'],
      wrap: rejectRequest(createRun, (body) => 'input' in body),
    },
    'run.create.input.required': {
      defect: 'run creation requires `input`',
      requirements: ['run.create.input.optional'],
      wrap: rejectRequest(createRun, (body) => !('input' in body)),
    },
    'run.create.input.required-later': {
      defect: 'run creation requires `input` on a thread that has a state',
      requirements: ['run.create.input.optional'],
      wrap: (fetch) => {
        const used = new Set<string>()
        return rejectRequest(createRun, (body, request) => {
          const { threadId } = pathIds(request)
          if ('input' in body) used.add(threadId)
          return used.has(threadId) && !('input' in body)
        })(fetch)
      },
    },
    'run.create.strategy.required': {
      defect: 'run creation requires `multitask_strategy`',
      requirements: ['run.create.strategy.optional'],
      wrap: rejectRequest(createRun, (body) => !('multitask_strategy' in body)),
    },
  }),
  ...strategies.map(
    (strategy): Mutant => ({
      id: `run.create.strategy.${strategy}-refused`,
      defect: `run creation rejects the strategy ${strategy}`,
      requirements: [`run.create.strategy.${strategy}`],
      wrap: rejectRequest(createRun, (body) => body['multitask_strategy'] === strategy),
    }),
  ),
  {
    id: 'run.create.cancelled-with-client',
    defect: 'a run is cancelled if its client disconnects before run creation returns',
    requirements: ['service.background.outlives-client'],
    wrap: respondInstead(createRun, async (request, fetch) => {
      const { headers, url, signal } = request
      const response = await fetch(request)
      await delay(30)
      if (!signal.aborted) return response
      const { run_id } = (await response.json()) as { run_id: string }
      return fetch(new Request(`${url}/${run_id}/cancel`, { method: 'POST', headers: new Headers(headers) }))
    }),
  },
  {
    id: 'run.times.local',
    defect: 'times of runs are local times of another time zone, marked as UTC',
    requirements: ['run.times-current'],
    policies: ({ presentRun }) => ({
      presentRun: (...args) => {
        const run = presentRun(...args)
        return { ...run, created_at: shifted(run['created_at'], -5), updated_at: shifted(run['updated_at'], -5) }
      },
    }),
  },
  {
    id: 'run.times.constant',
    defect: 'all runs have the creation time of the first one',
    requirements: ['run.times-current'],
    policies: ({ presentRun }) => {
      let first: unknown
      return {
        presentRun: (...args) => {
          const run = presentRun(...args)
          first ??= run['created_at']
          return { ...run, created_at: first }
        },
      }
    },
  },
  {
    id: 'run.updated-before-created',
    defect: 'created_at of a run changes when the run ends',
    requirements: ['run.updated-not-before-created'],
    alsoFails: { 'run.get.as-created': 'the creation time changes' },
    wrap: (fetch) => {
      const later = (run: unknown) => {
        const ended = Object(run)['status'] === 'success'
        if (ended) changeAt(run, ['created_at'], (time) => new Date(Date.parse(String(time)) + 60_000).toISOString())
        return run
      }
      return changeResponse(getRun, later)(fetch)
    },
  },
]
