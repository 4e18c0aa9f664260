import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Run, Thread } from '../../../mock-server/deployment/records.ts'
import type { Message } from '../../../mock-server/graphs/types.ts'
import { isUuid } from '../../../suites/catalog/facts.ts'
import { testGraphNames } from '../../../suites/values/test-graphs.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import {
  changeRequest,
  createRun,
  errorResponse,
  getRun,
  jsonBody,
  listRuns,
  pathIds,
  rejectRequest,
  streamRun,
} from '../../wrappers/requests.ts'
import { changeResponse, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { changeShownMessages } from '../multitask.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeStreamedRuns, forStreamedRuns } from '../streams.ts'

/** A run in the list of runs. */
type ListedRun = Readonly<Record<string, unknown>>

/** Wraps a server with a defect on threads on which a run was created before. */
function afterRuns(make: (isUsed: (request: Request) => boolean) => Wrap): Wrap {
  return (fetch) => {
    const used = new Set<string>()
    const wrapped = make((request) => used.has(pathIds(request).threadId))(fetch)
    return async (request) => {
      const response = await wrapped(request)
      const isCreation = matchesRoute(request, createRun) || matchesRoute(request, streamRun)
      if (isCreation && response.ok) used.add(pathIds(request).threadId)
      return response
    }
  }
}

/** Changes the messages in states of threads with only streamed runs. */
const changeStreamed =
  (change: (messages: readonly Message[], thread: Thread) => readonly Message[]) => (policies: Policies) =>
    changeShownMessages(policies, (messages, thread) =>
      [...thread.runs.values()].every(({ kwargs }) => kwargs.stream_mode.includes('updates'))
        ? change(messages, thread)
        : messages,
    )

export const streamRequestMutants: readonly Mutant[] = mutantsOf({
  'stream.create.broken': {
    defect: 'POST …/runs/stream always fails',
    requirements: ['stream.create.answers-stream'],
    wrap: respondInstead(streamRun, async () => errorResponse(500)),
  },
  'stream.create.answers-values': {
    defect: 'POST …/runs/stream returns the final values as JSON instead of a stream',
    requirements: ['stream.create.answers-stream'],
    wrap: respondInstead(streamRun, async (request, fetch) => {
      const { threadId } = pathIds(request)
      await (await fetch(request)).text()
      return fetch(new Request(new URL(`/threads/${threadId}/state`, request.url)))
    }),
  },
  'stream.request.assistant-defaulted': {
    defect: 'a stream request without assistant_id executes the first graph',
    requirements: ['stream.request.assistant_id-required'],
    wrap: changeRequest(streamRun, (body) => ({ assistant_id: 'echo', ...body })),
  },
  'stream.request.unknown-name-runs': {
    defect: 'a stream request with an unknown graph name executes the first graph',
    requirements: ['stream.request.assistant_id-known'],
    wrap: changeRequest(streamRun, (body) => {
      const id = body['assistant_id']
      return typeof id !== 'string' || testGraphNames.some((name) => name === id) || isUuid(id)
        ? body
        : { ...body, assistant_id: 'echo' }
    }),
  },
  'stream.request.unknown-id-runs': {
    defect: 'a stream request with an unknown assistant id executes the first graph',
    requirements: ['stream.request.assistant_id-known'],
    wrap: (fetch) =>
      changeRequest(streamRun, async (body, { url }) => {
        const id = body['assistant_id']
        const known = !isUuid(id) || (await fetch(new Request(new URL(`/assistants/${id}`, url)))).ok
        return known ? body : { ...body, assistant_id: 'echo' }
      })(fetch),
  },
  'stream.request.input-lost': {
    defect: 'a streamed run executes with an empty message instead of its input',
    requirements: ['stream.request.input'],
    alsoFails: { 'run.kwargs.input.given': 'the record of the run shows the empty message' },
    wrap: changeRequest(streamRun, (body) => ({ ...body, input: { messages: [{ role: 'human', content: '' }] } })),
  },
  'stream.request.input-cut': {
    defect: 'a streamed run gets at most 16384 characters of a message',
    requirements: ['stream.framing.text'],
    alsoFails: {
      'run.kwargs.input.given': 'the record of the run shows the rest of the message',
      'stream.request.input': 'the end of a long message is missing',
    },
    wrap: changeRequest(streamRun, (body) => {
      const { messages = [] } = body['input'] as { readonly messages?: readonly { readonly content?: unknown }[] }
      const cut = messages.map((each) => ({ ...each, content: String(each.content).slice(0, 16_384) }))
      return { ...body, input: { ...Object(body['input']), messages: cut } }
    }),
  },
  'stream.request.mode-required': {
    defect: 'a stream request without stream_mode is rejected',
    requirements: ['stream.request.stream_mode-optional'],
    wrap: rejectRequest(streamRun, ({ stream_mode }) => stream_mode === undefined),
  },
  'stream.request.mode-required-later': {
    defect: 'a stream request without stream_mode is rejected on a thread that has had a run',
    requirements: ['stream.request.stream_mode-optional'],
    wrap: afterRuns((isUsed) =>
      rejectRequest(streamRun, ({ stream_mode }, request) => stream_mode === undefined && isUsed(request)),
    ),
  },
  'stream.create.empty-later': {
    defect: 'a stream on a thread that has had a run is an empty object',
    requirements: ['stream.create.answers-stream'],
    wrap: afterRuns((isUsed) =>
      respondInstead(streamRun, (request, fetch) =>
        isUsed(request) ? Promise.resolve(Response.json({})) : fetch(request),
      ),
    ),
  },
  'stream.request.one-mode-only': {
    defect: 'a stream request with several modes is rejected',
    requirements: ['stream.request.stream_mode-array'],
    wrap: rejectRequest(streamRun, ({ stream_mode }) => Array.isArray(stream_mode) && stream_mode.length > 1),
  },
  'stream.mode.default-updates': {
    defect: 'a streamed run without stream_mode has the mode updates',
    requirements: ['stream.mode.default-values'],
    alsoFails: { 'stream.updates.only-if-asked': 'the mode also sends its events' },
    wrap: changeRequest(streamRun, (body) => ({ stream_mode: ['updates'], ...body })),
  },
  'stream.mode.default-empty': {
    defect: 'a streamed run without stream_mode has no mode in kwargs',
    requirements: ['stream.mode.default-values'],
    wrap: (fetch) => {
      const threads = new Set<string>()
      const changed = changeStreamedRuns((run) => {
        const kwargs = { ...Object(run['kwargs']), stream_mode: [] }
        return threads.has(String(run['thread_id'])) ? { ...run, kwargs } : run
      })(fetch)
      return async (request) => {
        if (matchesRoute(request, streamRun) && (await jsonBody(request))['stream_mode'] === undefined) {
          threads.add(pathIds(request).threadId)
        }
        return changed(request)
      }
    },
  },
  'stream.run.enqueue-by-default': {
    defect: 'a streamed run has the strategy enqueue',
    requirements: ['run.fields.multitask_strategy.default'],
    wrap: changeStreamedRuns((run) => ({ ...run, multitask_strategy: 'enqueue' })),
  },
  'stream.run.not-recorded': {
    defect: 'the list of runs omits streamed runs',
    requirements: ['stream.run.recorded'],
    wrap: forStreamedRuns((isStreamed) =>
      changeResponse(listRuns, (runs) => (runs as ListedRun[]).filter(({ run_id }) => !isStreamed(run_id))),
    ),
  },
  'stream.run.recorded-twice': {
    defect: 'a stream request creates a second run',
    requirements: ['stream.run.one'],
    wrap: forStreamedRuns((isStreamed) =>
      changeResponse(listRuns, (runs) =>
        (runs as ListedRun[]).flatMap((run) => {
          const [, ...rest] = String(run['run_id']).split('-')
          return isStreamed(run['run_id']) ? [run, { ...run, run_id: ['00000000', ...rest].join('-') }] : [run]
        }),
      ),
    ),
  },
  'stream.run.ends-in-error': {
    defect: 'a finished streamed run has the status error',
    requirements: ['stream.run.success'],
    wrap: changeStreamedRuns((run) => (run['status'] === 'success' ? { ...run, status: 'error' } : run)),
  },
  'stream.run.never-ends': {
    defect: 'a streamed run stays `running`',
    requirements: ['stream.run.success'],
    wrap: changeStreamedRuns((run) => ({ ...run, status: 'running' })),
  },
  'stream.run.no-checkpoints': {
    defect: 'a streamed run adds only its input to the state',
    requirements: ['stream.run.results-in-state'],
    alsoFails: {
      'stream.updates.as-stored': 'the messages of whoami are lost, too',
      'stream.updates.id-as-stored': 'the messages are not stored',
      'state.fields.next.empty': 'the checkpoint of the input is the last one',
      'state.fields.tasks.empty': 'the checkpoint of the input is the last one',
    },
    policies: ({ saveCheckpoint }) => ({
      saveCheckpoint: (thread, checkpoint) => {
        const run = thread.runs.get(checkpoint.metadata.run_id ?? '')
        const isStreamed = run?.kwargs.stream_mode.includes('updates')
        if (!isStreamed || checkpoint.metadata.source === 'input') saveCheckpoint(thread, checkpoint)
      },
    }),
  },
  'stream.run.stored-twice': {
    defect: 'the outputs of streamed runs are stored twice',
    requirements: ['message.no-others'],
    policies: changeStreamed((messages) =>
      messages.flatMap((each) => (each.type === 'ai' ? [each, { ...each, id: `${each.id}-again` }] : [each])),
    ),
  },
  'stream.run.input-not-stored': {
    defect: 'the only input message of a streamed run is not stored',
    requirements: ['message.input.stored'],
    policies: changeStreamed((messages) => {
      const inputs = messages.filter(({ type }) => type === 'human')
      return inputs.length === 1 ? messages.filter((each) => !inputs.includes(each)) : messages
    }),
  },
  'stream.run.replaces-earlier': {
    defect: 'a streamed run replaces the messages of earlier streamed runs',
    requirements: ['service.thread.keeps-conversation'],
    alsoFails: { 'message.input.several-stored': 'all but the last input of the latest run are missing' },
    policies: changeStreamed((messages, { runs }) =>
      runs.size > 1 ? messages.slice(messages.findLastIndex(({ type }) => type === 'human')) : messages,
    ),
  },
  'stream.run.unlisted-until-its-end': {
    defect: 'the list of runs omits a streamed run until it has ended',
    requirements: ['stream.run.recorded'],
    policies: ({ listRuns }) => ({
      listRuns: (runs, isWanted, page) => {
        const isActive = ({ outcome, kwargs }: Run) => outcome === undefined && kwargs.stream_mode.includes('updates')
        return listRuns(runs, (run) => isWanted(run) && !isActive(run), page)
      },
    }),
  },
  'stream.run.modes-forgotten': {
    defect: 'kwargs of a streamed run always have the default mode',
    requirements: ['stream.run.kwargs-stream_mode'],
    wrap: changeStreamedRuns((run) => ({ ...run, kwargs: { ...Object(run['kwargs']), stream_mode: ['values'] } })),
  },
  'stream.metadata.not-gettable': {
    defect: 'GET of a streamed run returns 404',
    requirements: ['stream.metadata.run_id.gettable'],
    wrap: forStreamedRuns((isStreamed) =>
      respondInstead(getRun, async (request, fetch) =>
        isStreamed(pathIds(request).runId) ? errorResponse(404) : fetch(request),
      ),
    ),
  },
})
