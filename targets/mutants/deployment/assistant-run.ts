import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { RunCreate } from '../../../mock-server/deployment/schemas/requests.ts'
import { defaultAssistantId } from '../../../mock-server/runtime/ids.ts'
import { isUuid } from '../../../suites/catalog/facts.ts'
import { testGraphNames } from '../../../suites/values/test-graphs.ts'
import { changeRequest, createRun, getRun, listRuns, rejectRequest, streamRun } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeAt, changeResponse } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const defaults: ReadonlySet<unknown> = new Set(testGraphNames.map(defaultAssistantId))

const isName = (id: unknown): boolean => testGraphNames.some((name) => name === id)
const isCreated = (id: unknown): boolean => isUuid(id) && !defaults.has(id)

type Settings = Readonly<Record<string, unknown>>

/** Changes the assistant settings with which a run executes. */
function changeSettings(
  make: () => (settings: Settings, graph: string, request: RunCreate, thread: string) => Settings,
): (defaults: Policies) => Partial<Policies> {
  return ({ runKwargs }) => {
    const change = make()
    return {
      runKwargs: (request, context) => {
        const { assistant } = context
        const settings: Settings = { ...Object(assistant.config['configurable']) }
        const configurable = change(settings, assistant.graph_id, request, context.thread_id)
        const config = { ...assistant.config, configurable }
        return runKwargs(request, { ...context, assistant: { ...assistant, config } })
      },
    }
  }
}

/** Executes runs without the settings of their assistant if another one of their thread was created before. */
function loseLaterSettings(isConcerned: (request: RunCreate) => boolean) {
  return ({ runKwargs }: Policies): Partial<Policies> => {
    const used = new Set<string>()
    return {
      runKwargs: (request, context) => {
        const isKept = !used.has(context.thread_id) || !isConcerned(request)
        used.add(context.thread_id)
        const assistant = { ...context.assistant, config: {} }
        return runKwargs(request, isKept ? context : { ...context, assistant })
      },
    }
  }
}

/** Removes the settings of runs with a strategy, except those that say how long a run sleeps. */
const loseIf =
  (strategy: string) =>
  (settings: Settings, _graph: string, { multitask_strategy }: RunCreate): Settings =>
    multitask_strategy === strategy && settings['delay_ms'] === undefined ? {} : settings

const stringSettings = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'string'))
const otherSettings = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value !== 'string'))

export const assistantRunMutants: readonly Mutant[] = mutantsOf({
  'assistant.config.lost': {
    defect: 'runs execute without the settings of their assistant',
    requirements: ['assistant.config.reaches-graph'],
    policies: changeSettings(() => () => ({})),
  },
  'assistant.config.streamed-lost': {
    defect: 'streamed runs execute without the settings of their assistant',
    requirements: ['assistant.config.reaches-graph'],
    policies: changeSettings(
      () =>
        (settings, _graph, { stream_mode }) =>
          stream_mode === undefined ? settings : {},
    ),
  },
  'assistant.config.texts-lost': {
    defect: 'string settings of an assistant do not reach the graph',
    requirements: ['assistant.config.reaches-graph'],
    policies: changeSettings(() => otherSettings),
  },
  'assistant.config.numbers-as-text': {
    defect: 'numbers within the settings of an assistant reach the graph as text',
    requirements: ['assistant.config.reaches-graph'],
    policies: changeSettings(
      () => (settings) =>
        JSON.parse(JSON.stringify(settings), (name, value) => (name === 'number' ? String(value) : value)),
    ),
  },
  'assistant.config.lost-in-later-runs': {
    defect: 'a run after another one of its thread executes without the settings of its assistant',
    requirements: ['assistant.config.reaches-graph'],
    policies: loseLaterSettings(() => true),
  },
  'assistant.config.lost-in-later-streams': {
    defect: 'a streamed run after another one of its thread executes without the settings of its assistant',
    requirements: ['assistant.config.reaches-graph'],
    policies: loseLaterSettings(({ stream_mode }) => stream_mode !== undefined),
  },
  'assistant.config.lost-when-interrupting': {
    defect: 'a run with `interrupt` executes without the settings of its assistant',
    requirements: ['assistant.config.reaches-graph'],
    policies: changeSettings(() => loseIf('interrupt')),
  },
  'assistant.config.lost-with-reject': {
    defect: 'a run with `reject` executes without the settings of its assistant',
    requirements: ['assistant.config.reaches-graph'],
    policies: changeSettings(() => loseIf('reject')),
  },
  'assistant.config.falsy-lost': {
    defect: 'settings that are 0, false or empty do not reach the graph',
    requirements: ['assistant.config.reaches-graph'],
    policies: changeSettings(
      () => (settings) => Object.fromEntries(Object.entries(settings).filter(([, value]) => Boolean(value))),
    ),
  },
  'assistant.config.first-wins': {
    defect: 'all assistants of a graph run with the settings of the first one that ran',
    requirements: ['assistant.config.own'],
    policies: changeSettings(() => {
      const first = new Map<string, Settings>()
      return (settings, graph) => {
        if (Object.keys(stringSettings(settings)).length > 0 && !first.has(graph))
          first.set(graph, stringSettings(settings))
        return { ...settings, ...first.get(graph) }
      }
    }),
  },
  'assistant.config.last-wins': {
    defect: 'a run uses the settings of the assistant of the same graph that ran before',
    requirements: ['assistant.config.own'],
    policies: changeSettings(() => {
      const last = new Map<string, Settings>()
      return (settings, graph) => {
        const before = last.get(graph)
        if (Object.keys(stringSettings(settings)).length > 0) last.set(graph, stringSettings(settings))
        return { ...settings, ...before }
      }
    }),
  },
  'assistant.config.added-to-default': {
    defect: 'default assistants run with the settings of the assistant of the same graph that ran last',
    requirements: ['assistant.config.own'],
    policies: changeSettings(() => {
      const last = new Map<string, Settings>()
      return (settings, graph) => {
        if (Object.keys(settings).length > 0) last.set(graph, settings)
        return last.get(graph) ?? settings
      }
    }),
  },
  'assistant.config.added-to-thread': {
    defect: 'a run also has the settings of the assistants that ran earlier on its thread',
    requirements: ['assistant.config.own'],
    policies: changeSettings(() => {
      const byThread = new Map<string, Settings>()
      return (settings, _graph, _request, thread) => {
        const all = { ...byThread.get(thread), ...settings }
        byThread.set(thread, all)
        return all
      }
    }),
  },
  'assistant.id.create-refused': {
    defect: 'run creation rejects ids of created assistants',
    requirements: ['assistant.id.create-accepts'],
    wrap: rejectRequest(createRun, ({ assistant_id }) => isCreated(assistant_id), 404),
  },
  'assistant.id.stream-refused': {
    defect: 'streamed run creation rejects ids of created assistants',
    requirements: ['assistant.id.stream-accepts'],
    wrap: rejectRequest(streamRun, ({ assistant_id }) => isCreated(assistant_id), 404),
  },
  'assistant.name.create-refused': {
    defect: 'run creation rejects graph names',
    requirements: ['assistant.name.create-accepts'],
    wrap: rejectRequest(createRun, ({ assistant_id }) => isName(assistant_id)),
  },
  'assistant.name.stream-refused': {
    defect: 'streamed run creation rejects graph names',
    requirements: ['assistant.name.stream-accepts'],
    wrap: rejectRequest(streamRun, ({ assistant_id }) => isName(assistant_id)),
  },
  'assistant.default.run-refused': {
    defect: 'run creation rejects ids of default assistants',
    requirements: ['assistant.default.runs'],
    wrap: rejectRequest(createRun, ({ assistant_id }) => defaults.has(assistant_id), 404),
  },
  'assistant.name.kept-on-run': {
    defect: 'a run created with a graph name has the name as its assistant_id',
    requirements: ['assistant.name.run-carries-uuid'],
    alsoFails: { 'run.fields.assistant_id.uuid': 'the name is not a UUID' },
    wrap: (fetch) => {
      const named = new Map<unknown, unknown>()
      const rename = (run: unknown) => {
        const { run_id } = run as { run_id: unknown }
        changeAt(run, ['assistant_id'], (id) => named.get(run_id) ?? id)
        return run
      }
      const wrappers = [
        changeResponse(listRuns, (list) => (list as unknown[]).map(rename)),
        changeResponse(getRun, rename),
        changeResponse(createRun, (run) => {
          const { run_id, assistant_id } = run as { run_id: unknown; assistant_id: unknown }
          const name = testGraphNames.find((graph) => defaultAssistantId(graph) === assistant_id)
          if (name !== undefined) named.set(run_id, name)
          return rename(run)
        }),
      ]
      return wrappers.reduce((inner, wrapper) => wrapper(inner), fetch)
    },
  },
  'assistant.name.of-another': {
    defect: 'a graph name refers to an assistant other than the default assistant',
    requirements: ['assistant.name.run-of-default'],
    wrap: (fetch) => {
      const created = new Map<string, Promise<string>>()
      const make = async (graph_id: string, url: string) => {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ graph_id })
        const response = await fetch(new Request(new URL('/assistants', url), { method: 'POST', headers, body }))
        return ((await response.json()) as { assistant_id: string }).assistant_id
      }
      return changeRequest(createRun, async (body, { url }) => {
        const name = String(body['assistant_id'])
        if (!isName(name)) return body
        const id = created.get(name) ?? make(name, url)
        created.set(name, id)
        return { ...body, assistant_id: await id }
      })(fetch)
    },
  },
  'assistant.name.of-latest': {
    defect: 'a graph name refers to the latest assistant of the graph that has a config',
    requirements: ['assistant.name.run-of-default'],
    wrap: (fetch) => {
      const latest = new Map<unknown, unknown>()
      return combine(
        changeResponse({ method: 'POST', path: '/assistants' }, (assistant) => {
          const { graph_id, assistant_id, config } = Object(assistant)
          if (Object.keys(Object(config)).length > 0) latest.set(graph_id, assistant_id)
          return assistant
        }),
        changeRequest(createRun, (body) => ({
          ...body,
          assistant_id: latest.get(body['assistant_id']) ?? body['assistant_id'],
        })),
      )(fetch)
    },
  },
  'assistant.config.streamed-with-latest': {
    defect: 'a streamed run also gets the settings of the assistant whose run was created before',
    requirements: ['assistant.config.own'],
    policies: ({ runKwargs }) => {
      let latest: unknown = {}
      return {
        runKwargs: (request, context) => {
          const kwargs = runKwargs(request, context)
          const { configurable } = context.assistant.config
          const earlier = latest
          latest = configurable ?? latest
          if (request.stream_mode === undefined) return kwargs
          const merged = { ...Object(earlier), ...kwargs.config.configurable }
          return { ...kwargs, config: { ...kwargs.config, configurable: merged } }
        },
      }
    },
  },
})
