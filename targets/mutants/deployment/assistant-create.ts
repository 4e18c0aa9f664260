import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Assistant } from '../../../mock-server/deployment/records.ts'
import { isObject } from '../../../suites/catalog/facts.ts'
import { listAt } from '../../../suites/values/json.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { changeRequest, createRun, errorResponse, lastSegment, rejectRequest } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeKeys, changeValues } from '../values.ts'

const create = { method: 'POST', path: '/assistants' }

/** Changes created assistants in all responses. */
function showCreated(change: (assistant: Assistant) => Partial<Assistant>): (defaults: Policies) => Partial<Policies> {
  return ({ presentAssistant }) => ({
    presentAssistant: (assistant, dialect) => {
      const created = assistant.metadata['created_by'] !== 'system'
      return presentAssistant(created ? { ...assistant, ...change(assistant) } : assistant, dialect)
    },
  })
}

/** Gives assistants with settings that have the same key the same id. */
function sameIds(keyOf: (assistant: Assistant) => string): Wrap {
  return (fetch) => {
    const ids = new Map<string, unknown>()
    return changeResponse(create, (body) => {
      const key = keyOf(body as Assistant)
      const isPlain = (body as Assistant).config['configurable'] === undefined
      return changeAt(body, ['assistant_id'], (id) => {
        if (!isPlain && !ids.has(key)) ids.set(key, id)
        return ids.get(key) ?? id
      })
    })(fetch)
  }
}

/** Changes the values in the config of created assistants. */
function changeConfig(change: (value: unknown, depth: number) => unknown) {
  return showCreated(({ config }) => ({ config: changeValues(config, change) as Assistant['config'] }))
}

/** Returns the value of a text like `true` or `0012`. */
function typed(text: string): unknown {
  if (text === 'null') return null
  if (text === 'true') return true
  return /^\d+$/.test(text) ? Number(text) : text
}

export const assistantCreateMutants: readonly Mutant[] = mutantsOf({
  'assistant.create.config-integers': {
    defect: 'numbers in the config of an assistant lose their fractions',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) => (typeof value === 'number' ? Math.trunc(value) : value)),
  },
  'assistant.create.config-rounded': {
    defect: 'numbers in the config of an assistant are rounded to two places',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)),
  },
  'assistant.create.config-unsigned': {
    defect: 'numbers in the config of an assistant lose their sign',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) => (typeof value === 'number' ? Math.abs(value) : value)),
  },
  'assistant.create.config-distinct': {
    defect: 'lists in the config of an assistant lose repeated values',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) => (Array.isArray(value) ? [...new Set(value)] : value)),
  },
  'assistant.create.config-short-lists': {
    defect: 'lists in the config of an assistant keep ten values',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) => (Array.isArray(value) ? value.slice(0, 10) : value)),
  },
  'assistant.create.config-few-keys': {
    defect: 'objects in the config of an assistant keep 20 keys',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 20)) : value,
    ),
  },
  'assistant.create.config-short-keys': {
    defect: 'keys in the config of an assistant are cut to 64 characters',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig(changeKeys((key) => key.slice(0, 64))),
  },
  'assistant.create.config-trimmed-keys': {
    defect: 'keys in the config of an assistant lose the spaces around them',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig(changeKeys((key) => key.trim())),
  },
  'assistant.create.config-snake-keys': {
    defect: 'keys in the config of an assistant have underscores in place of dashes',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig(changeKeys((key) => key.replaceAll('-', '_'))),
  },
  'assistant.create.config-typed': {
    defect: 'texts in the config of an assistant that look like another value become that value',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) => (typeof value === 'string' ? typed(value) : value)),
  },
  'assistant.create.config-times-in-utc': {
    defect: 'texts in the config of an assistant that are times are converted to UTC',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value,
    ),
  },
  'assistant.create.config-short-texts': {
    defect: 'texts in the config of an assistant are cut to 1000 characters',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value) => (typeof value === 'string' ? value.slice(0, 1000) : value)),
  },
  'assistant.create.config-shallow': {
    defect: 'objects that are deep inside the config of an assistant are empty',
    requirements: ['assistant.create.config-kept'],
    policies: changeConfig((value, depth) => (isObject(value) && depth > 8 ? {} : value)),
  },
  'assistant.create.config-sorted': {
    defect: 'lists in the config of an assistant are sorted',
    requirements: ['assistant.create.config-kept'],
    policies: showCreated(({ config }) => ({
      config: changeAt(structuredClone(config), ['configurable', 'touchstone_list'], (list) =>
        Array.isArray(list) ? list.toSorted() : list,
      ),
    })),
  },
  'assistant.create.broken': {
    defect: 'POST /assistants always fails',
    requirements: ['assistant.create.answers-assistant'],
    wrap: respondInstead(create, async () => Response.json({ detail: 'no database' }, { status: 500 })),
  },
  'assistant.create.answers-text': {
    defect: 'POST /assistants returns only the id, as text',
    requirements: ['assistant.create.answers-assistant'],
    wrap: respondInstead(create, async (request, fetch) => {
      const { assistant_id } = (await (await fetch(request)).json()) as { assistant_id: string }
      return new Response(`created ${assistant_id}`)
    }),
  },
  'assistant.create.answers-array': {
    defect: 'POST /assistants returns the assistant in an array',
    requirements: ['assistant.create.answers-assistant'],
    wrap: changeResponse(create, (body) => [body]),
  },
  'assistant.create.graph-defaulted': {
    defect: 'POST /assistants without graph_id uses the first graph',
    requirements: ['assistant.create.graph_id-required'],
    wrap: changeRequest(create, (body) => ({ graph_id: 'echo', ...body })),
  },
  'assistant.create.graph-renamed': {
    defect: 'graph_id of a created assistant has a version suffix that the request does not have',
    requirements: ['assistant.create.graph_id-kept'],
    policies: showCreated(({ graph_id }) => ({ graph_id: `${graph_id}@1` })),
  },
  'assistant.create.id-from-config': {
    defect: 'assistants with the same graph and the same first 32 characters of config get the same id',
    requirements: ['assistant.create.fresh-id'],
    wrap: sameIds(({ graph_id, config }) => `${graph_id} ${JSON.stringify(config).slice(0, 32)}`),
  },
  'assistant.create.id-from-config-alone': {
    defect: 'assistants with the same config get the same id, even if their graphs differ',
    requirements: ['assistant.create.fresh-id'],
    wrap: sameIds(({ config }) => JSON.stringify(config)),
  },
  'assistant.create.id-without-nested-settings': {
    defect: 'assistants whose configs differ only in nested settings get the same id',
    requirements: ['assistant.create.fresh-id'],
    wrap: sameIds(({ graph_id, config }) => {
      const settings = Object.entries(Object(config['configurable'])).map(([key, value]) => [key, String(value)])
      return JSON.stringify([graph_id, settings])
    }),
  },
  'assistant.create.replaces-equal': {
    defect: 'an assistant is gone once another one with the same graph and config is created',
    requirements: ['assistant.get.answers-assistant'],
    wrap: (fetch) => {
      const ids = new Map<string, unknown>()
      const gone = new Set<unknown>()
      const recording = changeResponse(create, (body) => {
        const { assistant_id, graph_id, config } = body as Assistant
        const key = JSON.stringify([graph_id, config])
        if (config['configurable'] !== undefined && ids.has(key)) gone.add(ids.get(key))
        ids.set(key, assistant_id)
        return body
      })(fetch)
      const get = { method: 'GET', path: '/assistants/{assistant_id}' }
      return respondInstead(get, async (request, next) =>
        gone.has(lastSegment(request)) ? errorResponse(404) : next(request),
      )(recording)
    },
  },
  'assistant.create.config-required': {
    defect: 'POST /assistants without config is rejected',
    requirements: ['assistant.create.config-optional'],
    wrap: rejectRequest(create, ({ config }) => config === undefined),
  },
  'assistant.create.config-refused': {
    defect: 'POST /assistants rejects the field config',
    requirements: ['assistant.create.config-accepted'],
    wrap: rejectRequest(create, ({ config }) => config !== undefined),
  },
  'assistant.create.configurable-refused': {
    defect: 'POST /assistants rejects a config with configurable',
    requirements: ['assistant.create.config-accepted'],
    wrap: rejectRequest(create, ({ config }) => isObject(config) && 'configurable' in config),
  },
  'assistant.create.config-hidden': {
    defect: 'responses show an empty config of a created assistant',
    requirements: ['assistant.create.config-kept'],
    policies: showCreated(() => ({ config: {} })),
  },
  'assistant.create.config-flattened': {
    defect: 'the config of a created assistant loses settings that are objects or arrays',
    requirements: ['assistant.create.config-kept'],
    policies: showCreated(({ config }) => ({
      config: {
        ...config,
        ...(isObject(config['configurable']) && {
          configurable: Object.fromEntries(
            Object.entries(config['configurable']).filter(([, value]) => typeof value !== 'object'),
          ),
        }),
      },
    })),
  },
  'assistant.created.updated-before-created': {
    defect: 'updated_at of a created assistant is a minute before created_at',
    requirements: ['assistant.updated-not-before-created'],
    policies: showCreated(({ created_at }) => ({ updated_at: created_at - 60_000 })),
  },
  'assistant.updated-by-runs': {
    defect: 'updated_at of an assistant that has run is before created_at',
    requirements: ['assistant.updated-not-before-created'],
    wrap: (fetch) => {
      const used = new Set<unknown>()
      const reading = changeResponse({ method: 'GET', path: `${create.path}/{assistant_id}` }, (assistant) => {
        const { assistant_id: id, ...rest } = Object(assistant)
        return { ...rest, assistant_id: id, ...(used.has(id) && { updated_at: '2020-01-01T00:00:00Z' }) }
      })
      return changeResponse(createRun, (run) => {
        used.add(Object(run).assistant_id)
        return run
      })(reading(fetch))
    },
  },
  'assistant.config.configurable-pairs': {
    defect: 'responses show configurable of a created assistant as an array of pairs',
    requirements: ['assistant.config.configurable-type'],
    policies: showCreated(({ config }) => ({
      config: {
        ...config,
        ...(isObject(config['configurable']) && { configurable: Object.entries(config['configurable']) }),
      },
    })),
  },
  'assistant.default.config-overwritten': {
    defect: 'creating an assistant also changes the config of the default assistant of its graph',
    requirements: ['assistant.default.config.empty'],
    policies: ({ presentAssistant }) => {
      const written = new Map<string, Assistant['config']>()
      return {
        presentAssistant: (assistant, dialect) => {
          if (assistant.metadata['created_by'] !== 'system') written.set(assistant.graph_id, assistant.config)
          const config = written.get(assistant.graph_id) ?? assistant.config
          return presentAssistant({ ...assistant, config }, dialect)
        },
      }
    },
  },
  'assistant.create.config-of-previous': {
    defect: 'an assistant that is created without config has the config of the assistant that was created before',
    requirements: ['assistant.config.own'],
    wrap: (fetch) => {
      let latest: unknown = {}
      return changeRequest(create, ({ config = latest, ...body }) => {
        latest = config
        return { ...body, config }
      })(fetch)
    },
  },
  'assistant.create.shows-config-of-previous': {
    defect: 'responses show an assistant without config with the config of the one that was created before',
    requirements: ['assistant.config.own'],
    wrap: (fetch) => {
      const shown = new Map<unknown, unknown>()
      let latest: unknown
      const show = (assistant: unknown) => {
        const { assistant_id: id } = Object(assistant)
        return shown.has(id) ? { ...Object(assistant), config: shown.get(id) } : assistant
      }
      return combine(
        changeResponse(create, (assistant) => {
          const { assistant_id: id, config } = Object(assistant)
          if (Object.keys(config).length > 0) latest = config
          else if (latest !== undefined) shown.set(id, latest)
          return show(assistant)
        }),
        changeResponse({ method: 'GET', path: `${create.path}/{assistant_id}` }, show),
        changeResponse({ method: 'POST', path: `${create.path}/search` }, (list) => listAt(list).map(show)),
      )(fetch)
    },
  },
  'assistant.create.config-of-previous-of-graph': {
    defect: 'an assistant that is created without config has the config of the last one of its graph',
    requirements: ['assistant.config.own'],
    wrap: (fetch) => {
      const latest = new Map<unknown, unknown>()
      return changeRequest(create, (body) => {
        const config = body['config'] ?? latest.get(body['graph_id'])
        latest.set(body['graph_id'], config)
        return { ...body, ...(config !== undefined && { config }) }
      })(fetch)
    },
  },
})
