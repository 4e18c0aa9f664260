import { defaultAssistantId } from '../../../mock-server/runtime/ids.ts'
import { runPlaces } from '../../../suites/catalog/deployment/run-places.ts'
import { isObject } from '../../../suites/catalog/facts.ts'
import { testGraphNames } from '../../../suites/values/test-graphs.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, pathIds } from '../../wrappers/requests.ts'
import { changeAt, changeResponse } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeStreamedRuns } from '../streams.ts'
import { changeKeys, changeValues } from '../values.ts'

type Change = (run: Record<string, unknown>) => void

/** Changes run records in all responses. */
function changeRuns(change: Change): Wrap {
  const apply = (body: unknown): unknown => {
    for (const run of [body].flat()) change(run as Record<string, unknown>)
    return body
  }
  return (fetch) => runPlaces().reduce((inner, place) => changeResponse(place, apply)(inner), fetch)
}

/** Shows a setting of the first run of a thread in all its later runs. */
function keepFirstSetting(key: string): Wrap {
  return (fetch) => {
    const first = new Map<unknown, unknown>()
    const recording = changeResponse(createRun, (run, request) => {
      const { threadId } = pathIds(request)
      changeAt(run, ['kwargs', 'config', 'configurable', key], (value) => {
        if (!first.has(threadId)) first.set(threadId, value)
        return value
      })
      return run
    })(fetch)
    return changeRuns((run) => {
      changeAt(run, ['kwargs', 'config', 'configurable', key], (value) => first.get(run['thread_id']) ?? value)
    })(recording)
  }
}

function isOfDefault(run: Readonly<Record<string, unknown>>): boolean {
  return testGraphNames.some((graph) => defaultAssistantId(graph) === run['assistant_id'])
}

/** Removes values from an object and the objects in it. */
function withoutValues(value: unknown, isRemoved: (inner: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutValues(inner, isRemoved))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([, inner]) => !isRemoved(inner))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutValues(inner, isRemoved)]))
}

function removeFromInput(isRemoved: (inner: unknown) => boolean) {
  return changeRuns((run) => changeAt(run, ['kwargs', 'input'], (input) => withoutValues(input, isRemoved)))
}

/** Changes the values that an input holds besides its messages. */
function changeFurtherInput(change: (value: unknown, depth: number) => unknown) {
  return changeRuns((run) => {
    changeAt(run, ['kwargs', 'input', 'touchstone_values'], (values) => values && changeValues(values, change))
  })
}

export const kwargsMutants: readonly Mutant[] = mutantsOf({
  'run.kwargs.input-without-null': {
    defect: 'keys with the value null are missing in `input` of `kwargs`',
    requirements: ['run.kwargs.input.given'],
    wrap: removeFromInput((value) => value === null),
  },
  'run.kwargs.input-without-zero': {
    defect: 'keys with the value 0, false or an empty text are missing in `input` of `kwargs`',
    requirements: ['run.kwargs.input.given'],
    wrap: removeFromInput((value) => value === 0 || value === false || value === ''),
  },
  'run.kwargs.input-lower-keys': {
    defect: 'keys of values in `input` of `kwargs` are in lower case',
    requirements: ['run.kwargs.input.given'],
    wrap: changeFurtherInput(changeKeys((key) => key.toLowerCase())),
  },
  'run.kwargs.input-flat-lists': {
    defect: 'lists of lists in `input` of `kwargs` are joined to one',
    requirements: ['run.kwargs.input.given'],
    wrap: changeFurtherInput((value) => (Array.isArray(value) ? value.flat() : value)),
  },
  'run.kwargs.input-shallow': {
    defect: 'objects that are deep inside `input` of `kwargs` are empty',
    requirements: ['run.kwargs.input.given'],
    wrap: changeFurtherInput((value, depth) => (isObject(value) && depth > 4 ? {} : value)),
  },
  'run.kwargs.streamed-run-id': {
    defect: '`run_id` in the configuration of a streamed run is another id',
    requirements: ['run.kwargs.config.configurable.run_id.own'],
    wrap: changeStreamedRuns((run) =>
      changeAt(run, ['kwargs', 'config', 'configurable', 'run_id'], () => run['thread_id']),
    ),
  },
  'run.kwargs.assistant-by-graph-name': {
    defect: '`assistant_id` in the configuration of a run of a default assistant is another id',
    requirements: ['run.kwargs.config.configurable.assistant_id.own'],
    wrap: changeRuns((run) => {
      if (isOfDefault(run)) changeAt(run, ['kwargs', 'config', 'configurable', 'assistant_id'], () => run['thread_id'])
    }),
  },
  'run.kwargs.created-by-caller': {
    defect: 'created_by of a run is `system` only for the default assistant',
    requirements: ['run.kwargs.config.metadata.created_by.any-assistant'],
    wrap: changeRuns((run) => {
      if (!isOfDefault(run)) changeAt(run, ['kwargs', 'config', 'metadata', 'created_by'], () => 'caller')
    }),
  },
  'run.kwargs.created-by-absent': {
    defect: 'runs of assistants that clients created have no created_by',
    requirements: ['run.kwargs.config.metadata.created_by.any-assistant'],
    wrap: changeRuns((run) => {
      if (!isOfDefault(run)) changeAt(run, ['kwargs', 'config', 'metadata', 'created_by'], () => undefined)
    }),
  },
  'run.kwargs.run-id-of-first-run': {
    defect: 'the configuration of a later run has the run_id of the first run of the thread',
    requirements: ['run.kwargs.config.configurable.run_id.own'],
    wrap: keepFirstSetting('run_id'),
  },
  'run.kwargs.input-rewritten': {
    defect: 'kwargs shows the input with `type` instead of `role`',
    requirements: ['run.kwargs.input.given'],
    wrap: changeRuns((run) => {
      changeAt(run, ['kwargs', 'input', 'messages'], (messages) =>
        [messages].flat().map((message) => {
          const { role, ...rest } = Object(message)
          return { ...rest, type: role }
        }),
      )
    }),
  },
  'run.kwargs.input-first-message': {
    defect: 'kwargs shows only the first message of an input',
    requirements: ['run.kwargs.input.given'],
    wrap: changeRuns((run) => {
      changeAt(run, ['kwargs', 'input', 'messages'], (messages) => messages && [messages].flat().slice(0, 1))
    }),
  },
  'run.kwargs.input-only-messages': {
    defect: 'kwargs shows an input with messages without its other keys',
    requirements: ['run.kwargs.input.given'],
    wrap: changeRuns((run) => {
      changeAt(run, ['kwargs', 'input'], (input) => {
        const { messages } = Object(input)
        return messages === undefined ? input : { messages }
      })
    }),
  },
  'run.kwargs.input-ascii': {
    defect: 'kwargs shows the input without non-ASCII characters',
    requirements: ['run.kwargs.input.given'],
    wrap: changeRuns((run) => {
      changeAt(run, ['kwargs', 'input'], (input) =>
        JSON.parse(JSON.stringify(input ?? null).replace(/[^\x20-\x7e]/g, '?')),
      )
    }),
  },
  'run.kwargs.of-newest-run': {
    defect: 'all reads of runs show the arguments of the run that was created last',
    requirements: ['run.kwargs.config.configurable.run_id.own'],
    alsoFails: {
      'auth.none.runs': 'the lists of two users show the arguments of different runs',
      'auth.none.run-get': 'reads of two users show the arguments of different runs',
    },
    policies: ({ runKwargs, presentRun }) => {
      let newest: ReturnType<typeof runKwargs> | undefined
      return {
        runKwargs: (request, context) => {
          newest = runKwargs(request, context)
          return newest
        },
        presentRun: (run, dialect) => ({ ...presentRun(run, dialect), kwargs: newest }),
      }
    },
  },
})
