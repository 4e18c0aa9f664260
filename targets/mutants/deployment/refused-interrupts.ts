import { unknownId } from '../../../suites/catalog/deployment/run-places.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, getRun, jsonBody, pathIds } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeResponse, respondInstead } from '../../wrappers/routes.ts'
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

/** Refused requests that interrupt a run all the same. */
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
})
