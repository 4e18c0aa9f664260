import { randomUUID } from 'node:crypto'
import type { Run } from '../../../mock-server/deployment/records.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { type Fields, getState } from '../../wrappers/requests.ts'
import { responses } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, matchesRoute } from '../../wrappers/routes.ts'
import { type Behavior, type Choice, choicesOf } from '../choice.ts'

const unseenBegin = 'no state shows that a run has begun before it is interrupted'

/** States of threads. */
export const stateChoices: readonly Choice[] = choicesOf('deployment', {
  'state.never-run': {
    description: 'The state of a thread without a checkpoint.',
    legal: 'state.never-run: not shown (ruling 10)',
    values: {
      'not-found': { wrap: emptyState(notFound) },
      null: { wrap: emptyState(() => Response.json(null)) },
      'no-values': {
        wrap: emptyState((state) => Response.json({ ...state, values: null, metadata: null, next: null })),
      },
    },
  },
  'state.bookkeeping': {
    description: 'A checkpoint after that of the last node.',
    legal: 'Ruling 10: `writes` may be empty in a bookkeeping checkpoint after the last node',
    values: {
      'after-the-run': {
        policies: ({ saveCheckpoint }) => ({
          saveCheckpoint: (thread, checkpoint) => {
            saveCheckpoint(thread, checkpoint)
            const { metadata, next, checkpoint_id } = checkpoint
            if (next.length > 0 || metadata.source !== 'loop') return
            saveCheckpoint(thread, {
              ...checkpoint,
              checkpoint_id: randomUUID(),
              parent_checkpoint_id: checkpoint_id,
              metadata: { ...metadata, step: metadata.step + 1, writes: {} },
            })
          },
        }),
      },
    },
  },
  'state.written': {
    description: 'When the results of a run are written to the state.',
    legal: 'Results are in the state once the run has ended; when before is not shown',
    values: {
      'at-the-end': writtenOnceEnded(() => true),
      // A failed run rolls back what its nodes have done.
      'unless-failed': { ...writtenOnceEnded(({ status }) => status !== 'error'), wrap: emptyState(notFound) },
    },
  },
  'state.without-input': {
    description: 'What a run without input writes on a thread that has a state.',
    legal: 'POST …/runs: `input` is optional; what a run without it does is not shown',
    values: {
      nothing: {
        policies: ({ saveCheckpoint }) => ({
          saveCheckpoint: (thread, checkpoint) => {
            const input: unknown = thread.runs.get(checkpoint.metadata.run_id ?? '')?.kwargs.input
            const hasInput = input !== undefined && input !== null
            if (hasInput || thread.checkpoints.length === 0) saveCheckpoint(thread, checkpoint)
          },
        }),
      },
    },
  },
  'state.elements': {
    description: 'The elements of `next` and `tasks`.',
    legal: 'state.next.elements, state.tasks.elements: element shapes are not shown',
    values: {
      swapped: {
        wrap: changeResponse(getState, (state) => {
          changeAt(state, ['next'], (next) => (Array.isArray(next) ? next.map((name) => ({ name })) : next))
          return changeAt(state, ['tasks'], (tasks) => (Array.isArray(tasks) ? tasks.map(({ name }) => name) : tasks))
        }),
      },
    },
  },
  'state.created-at': {
    description: 'The form of `created_at` of a state.',
    legal: 'Thread state: an ISO 8601 timestamp, not "with offset" as in the other records',
    values: {
      'without-offset': {
        wrap: changeResponse(getState, (state) =>
          changeAt(state, ['created_at'], (time) =>
            typeof time === 'string' ? time.replace(/(Z|[+-]\d\d(:?\d\d)?)$/, '') : time,
          ),
        ),
      },
    },
  },
  'state.metadata': {
    description: 'Values in the metadata of a state.',
    legal: 'state.metadata.source.values, state.metadata.created_by.value, state.metadata.further: not shown',
    values: {
      words: { wrap: metadata((all) => ({ ...all, source: 'node', created_by: 'user-7' })) },
      steps: { wrap: metadata((all) => ({ ...all, step: Number(all['step']) + 100 })) },
      further: { wrap: metadata((all) => ({ ...all, parents: {}, langgraph_version: '1', thread_ts: null })) },
    },
  },
  'state.values': {
    description: 'Keys of `values` other than `messages`.',
    legal: 'Thread state: `values` is the graph state; it holds `messages`, among others',
    values: {
      further: {
        wrap: changeResponse(getState, (state) =>
          changeAt(state, ['values'], (values) =>
            values === null ? null : { summary: null, ...Object(values), steps: [1] },
          ),
        ),
      },
    },
  },
})

/** Shows the checkpoints of a run once it has ended, if its record passes a test. */
function writtenOnceEnded(isWritten: (run: Run) => boolean): Behavior {
  const shows = (run: Run | undefined) => run?.outcome !== undefined && isWritten(run)
  return {
    policies: () => ({
      stateView: ({ checkpoints, runs }) =>
        checkpoints.findLast(({ metadata: { run_id } }) => shows(runs.get(run_id ?? ''))),
    }),
    excuses: {
      'multitask.interrupt.*partial-outputs-stay': unseenBegin,
      'multitask.interrupt.outputs-follow': unseenBegin,
      'multitask.interrupt.both-inputs': unseenBegin,
      'multitask.interrupt.earlier-interrupted': unseenBegin,
    },
  }
}

function notFound(): Response {
  return Response.json({ detail: 'no state' }, { status: 404 })
}

function emptyState(respond: (state: Fields) => Response): Wrap {
  return responses(async (response, request) => {
    if (!response.ok || !matchesRoute(request, getState)) return response
    const state = (await response.clone().json()) as Fields
    return state['checkpoint_id'] === null ? respond(state) : response
  })
}

function metadata(change: (all: Fields) => Fields): Wrap {
  return changeResponse(getState, (state) =>
    changeAt(state, ['metadata'], (all) => (Object.keys(Object(all)).length === 0 ? all : change(all as Fields))),
  )
}
