import { equals, isObject, iso8601, matches, object, offset, present, string, uuid } from '../facts.ts'
import { type FieldTable, field, fieldRequirements, type ResponsePlace } from '../fields.ts'
import { each, must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Whether an assistant is the default assistant of its graph. */
export function isDefaultAssistant(assistant: unknown): boolean {
  return isObject(assistant) && isObject(assistant['metadata']) && assistant['metadata']['created_by'] === 'system'
}

/**
 * Number of consecutive pages without new assistants after which a search ends. Assistants that other clients create in
 * the meantime can repeat earlier assistants on later pages, but only on a few.
 */
export const stalePages = 25

/** Time after which a search must show a new assistant, in milliseconds. */
export const indexMs = 2000

const created: ResponsePlace = { method: 'POST', path: '/assistants', at: [] }
const found: ResponsePlace = { method: 'POST', path: '/assistants/search', at: ['*'] }
const got: ResponsePlace = { method: 'GET', path: '/assistants/{assistant_id}', at: [] }
const other = (assistant: unknown): boolean => !isDefaultAssistant(assistant)

/** Fields of every assistant. */
export const assistantTable: FieldTable = {
  prefix: 'assistant.fields',
  area: 'deployment',
  section: 'Resources and their fields / Assistant',
  subject: 'an assistant',
  places: [created, found, got],
  fields: [
    field('assistant_id', present(), string(), uuid()),
    field('graph_id', present(), string()),
    field('created_at', present(), string(), iso8601(), offset()),
    field('updated_at', present(), string(), iso8601(), offset()),
    field('config', present(), object()),
    field('metadata', present(), object()),
  ],
}

/** Fields of a default assistant. */
export const defaultAssistantTable: FieldTable = {
  prefix: 'assistant.default',
  area: 'deployment',
  section: 'Resources and their fields / Assistant',
  subject: 'the default assistant',
  profile: 'open',
  places: [
    { ...found, where: isDefaultAssistant },
    { ...got, where: isDefaultAssistant },
  ],
  fields: [
    field(
      'config',
      ifObject(
        equals(
          'empty',
          'is an empty object',
          {},
          { recursion_limit: 1 },
          { interpretation: 'It stays empty when clients create other assistants of the graph.' },
        ),
      ),
    ),
    field(
      'metadata',
      matches(
        'created_by',
        'contains `created_by`',
        (value) => !isObject(value) || Object.hasOwn(value, 'created_by'),
        {},
      ),
      matches(
        'system',
        'contains `created_by` with the value `system`',
        (value) => !isObject(value) || !Object.hasOwn(value, 'created_by') || value['created_by'] === 'system',
        { created_by: 'touchstone' },
      ),
    ),
  ],
}

/** Fields of an assistant that a client created. */
export const createdAssistantTable: FieldTable = {
  prefix: 'assistant.created',
  area: 'deployment',
  section: 'Resources and their fields / Assistant',
  subject: 'a created assistant',
  profile: 'open',
  places: [
    { ...created, where: other },
    { ...found, where: other },
    { ...got, where: other },
  ],
  fields: [
    field(
      'metadata',
      ifObject(
        equals(
          'empty',
          'is an empty object',
          {},
          { kept: true },
          { interpretation: 'Applies only without custom authentication: a handler may write metadata.' },
        ),
      ),
    ),
  ],
}

/** Passes values that are not objects: another requirement tests the type of the field. */
function ifObject(fact: ReturnType<typeof equals>): ReturnType<typeof equals> {
  return { ...fact, problem: (value, subject) => (isObject(value) ? fact.problem(value, subject) : undefined) }
}

const openDefault = {
  profile: 'open',
  interpretation: 'Tested on all pages and without an owner filter, which may hide assistants without an owner.',
} as const
const ownConfiguration = { interpretation: 'An assistant is a graph with its own configuration.' }
const documentedFields = {
  interpretation: 'Only documented fields are compared; `updated_at` may be later, but not in the future.',
}

export const assistantRequirements: readonly Requirement[] = [
  ...fieldRequirements(assistantTable),
  ...section('deployment', 'Resources and their fields / Assistant', [
    must('assistant.default.exists', 'The server has a default assistant for each deployed graph.', openDefault),
  ]),
  ...fieldRequirements(defaultAssistantTable),
  ...fieldRequirements(createdAssistantTable),
  ...section('deployment', 'Resources and their fields / Assistant', [
    must(
      'assistant.updated-not-before-created',
      '`updated_at` of a created assistant is not earlier than its `created_at`.',
    ),
    must('assistant.config.configurable-type', '`configurable` in the `config` of an assistant is an object.'),
    must(
      'assistant.config.reaches-graph',
      "A run of an assistant executes its graph with the settings in the assistant's `config`.",
      ownConfiguration,
    ),
    must('assistant.config.own', 'Two assistants of one graph each run with their own settings.', ownConfiguration),
    ...each(must, {
      'assistant.id.create-accepts': 'POST /threads/{thread_id}/runs accepts an assistant id as `assistant_id`.',
      'assistant.id.stream-accepts': 'POST /threads/{thread_id}/runs/stream accepts an assistant id as `assistant_id`.',
      'assistant.name.create-accepts': 'POST /threads/{thread_id}/runs accepts a graph name as `assistant_id`.',
      'assistant.name.stream-accepts': 'POST /threads/{thread_id}/runs/stream accepts a graph name as `assistant_id`.',
      'assistant.name.run-carries-uuid':
        'The `assistant_id` of a run that was created with a graph name is a UUID, not the name.',
    }),
    should(
      'assistant.name.run-of-default',
      'A run that was created with a graph name is executed by the default assistant of that graph.',
      {
        ...openDefault,
        interpretation: 'The specification says that the name is accepted, but not which assistant it selects.',
      },
    ),
    must('assistant.default.runs', 'Run creation accepts the id of a default assistant.', openDefault),
    unspecified('assistant.fields.further', 'Which additional fields an assistant has.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /assistants', [
    must('assistant.create.answers-assistant', 'POST /assistants returns an assistant.'),
    must('assistant.create.graph_id-required', 'POST /assistants without `graph_id` creates no assistant.', {
      interpretation:
        'The server must not return an assistant with a 2xx status; the specification does not define the error.',
    }),
    must('assistant.create.graph_id-kept', 'The `graph_id` of a created assistant is the graph name from the request.'),
    must('assistant.create.fresh-id', 'Each created assistant has a new id.', {
      interpretation:
        'Tested with requests that differ in `graph_id` or `config`: the server may return an existing assistant for an identical request.',
    }),
    must('assistant.create.config-optional', 'POST /assistants accepts a request without `config`.'),
    must('assistant.create.config-accepted', 'POST /assistants accepts a `config` that contains `configurable`.'),
    must('assistant.create.config-kept', 'The `config` of a created assistant is the one from the request.', {
      interpretation: 'Every setting from the request must be present; the server may add others.',
    }),
    unspecified('assistant.create.status-code', 'Which 2xx status POST /assistants returns.'),
    unspecified('assistant.create.config-default', 'Which `config` an assistant has if the request contained none.'),
    unspecified('assistant.create.unknown-graph', 'What POST /assistants returns for a graph that is not deployed.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /assistants/search', [
    must('assistant.search.answers-array', 'POST /assistants/search returns an array of assistants.'),
    must('assistant.search.limit', 'POST /assistants/search returns at most `limit` assistants.'),
    must('assistant.search.offset', 'POST /assistants/search skips the first `offset` assistants.', {
      interpretation:
        'Tested by paging until every assistant that the check created appears; duplicates are allowed, because other clients may create assistants in the meantime.',
    }),
    must('assistant.search.includes-created', 'POST /assistants/search returns created assistants.'),
    must(
      'assistant.search.includes-default',
      'POST /assistants/search returns the default assistant of each deployed graph.',
      openDefault,
    ),
    must(
      'assistant.search.as-created',
      'POST /assistants/search returns an assistant with the field values it had when it was created.',
      documentedFields,
    ),
    ...each(unspecified, {
      'assistant.search.default-page': 'How many assistants POST /assistants/search returns without `limit`.',
      'assistant.search.order': 'The order in which POST /assistants/search returns assistants.',
      'assistant.search.page-headers': 'Which response headers of POST /assistants/search describe further pages.',
    }),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /assistants/{assistant_id}', [
    must('assistant.get.answers-assistant', 'GET /assistants/{assistant_id} returns an assistant.'),
    must('assistant.get.that-assistant', 'GET /assistants/{assistant_id} returns the assistant with that id.'),
    must(
      'assistant.get.as-created',
      'GET /assistants/{assistant_id} returns an assistant with the field values it had when it was created.',
      documentedFields,
    ),
    must('assistant.get.default', 'GET /assistants/{assistant_id} returns a default assistant.', openDefault),
    ...each(unspecified, {
      'assistant.get.unknown-id': 'What GET /assistants/{assistant_id} returns for an id that does not exist.',
      'assistant.get.malformed-id': 'What GET /assistants/{assistant_id} returns for an id that is not a UUID.',
      'assistant.get.graph-name': 'What GET /assistants/{assistant_id} returns for a graph name.',
    }),
  ]),
]
