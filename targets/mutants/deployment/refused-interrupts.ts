import { unknownId } from '../../../suites/catalog/deployment/run-places.ts'
import { listAt } from '../../../suites/values/json.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, getRun, getState, jsonBody, pathIds, streamRun } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

/** After a refused request with `interrupt`, shows the runs of the thread as interrupted. */
function interruptAnyway(isConcerned: (status: number, assistantId: unknown) => boolean): Wrap {
  return (fetch) => {
    const interrupted = new Set<string>()
    return combine(
      respondInstead(createRun, async (request, inner) => {
        const { multitask_strategy: strategy, assistant_id: assistantId } = await jsonBody(request)
        const response = await inner(request)
        if (!response.ok && strategy === 'interrupt' && isConcerned(response.status, assistantId))
          interrupted.add(pathIds(request).threadId)
        return response
      }),
      changeResponse(getRun, (run, request) =>
        interrupted.has(pathIds(request).threadId) ? { ...Object(run), status: 'interrupted' } : run,
      ),
    )(fetch)
  }
}

/** Whether a request for a stream that was refused is valid, but of another user. */
async function isOfOtherUser(request: Request, response: Response): Promise<boolean> {
  return [403, 404].includes(response.status) && (await jsonBody(request))['assistant_id'] === 'echo'
}

/** After the refusal of a stream of another user, shows the run that executes on the thread as interrupted. */
const interruptForStream: Wrap = (fetch) => {
  const executing = new Map<string, unknown>()
  const interrupted = new Set<unknown>()
  return combine(
    changeResponse(createRun, (run, request) => {
      executing.set(pathIds(request).threadId, Object(run)['run_id'])
      return run
    }),
    respondInstead(streamRun, async (request, inner) => {
      const response = await inner(request.clone())
      if (await isOfOtherUser(request, response)) interrupted.add(executing.get(pathIds(request).threadId))
      return response
    }),
    changeResponse(getRun, (run, request) => {
      const { run_id, status } = Object(run)
      if (interrupted.has(run_id)) return { ...Object(run), status: 'interrupted' }
      if (status !== 'pending' && status !== 'running') executing.delete(pathIds(request).threadId)
      return run
    }),
  )(fetch)
}

/** After the refusal of a stream of another user, shows its input in the state of the thread. */
const storeForStream: Wrap = (fetch) => {
  const refused = new Map<string, readonly unknown[]>()
  return combine(
    respondInstead(streamRun, async (request, inner) => {
      const response = await inner(request.clone())
      if (await isOfOtherUser(request, response))
        refused.set(pathIds(request).threadId, listAt((await jsonBody(request))['input'], 'messages'))
      return response
    }),
    changeResponse(getState, (state, request) =>
      changeAt(state, ['values', 'messages'], (messages) => [
        ...(refused.get(pathIds(request).threadId) ?? []),
        ...listAt(messages),
      ]),
    ),
  )(fetch)
}

/** Refused requests that interrupt a run all the same, or have another effect. */
export const refusedInterruptMutants: readonly Mutant[] = mutantsOf({
  'multitask.interrupt.unknown-assistant': {
    defect: 'a request with interrupt and an unknown assistant is refused, but interrupts',
    requirements: ['run.create.assistant-id.unknown-id'],
    wrap: interruptAnyway((_, assistantId) => assistantId === unknownId),
  },
  'multitask.interrupt.other-user': {
    defect: 'a request with interrupt by another user is refused, but interrupts',
    requirements: ['auth.scope.run-create'],
    profile: 'custom-auth',
    wrap: interruptAnyway((status, assistantId) => status !== 401 && assistantId !== unknownId),
  },
  'multitask.interrupt.no-credentials': {
    defect: 'a request with interrupt without credentials is refused, but interrupts',
    requirements: ['auth.refused.creates-no-run'],
    profile: 'custom-auth',
    wrap: interruptAnyway((status) => status === 401),
  },
  'auth.scope.run-stream-interrupts': {
    defect: 'a stream request of another user is refused, but interrupts the run that executes',
    requirements: ['auth.scope.run-stream'],
    wrap: interruptForStream,
  },
  'auth.scope.run-stream-stored': {
    defect: 'a stream request of another user is refused, but its input is added to the state',
    requirements: ['auth.scope.run-stream'],
    wrap: storeForStream,
  },
})
