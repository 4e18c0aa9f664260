import { equals, holds, isObject, iso8601, object, offset, present, string, uuid } from '../facts.ts'
import { type AnswerPlace, type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Whether an assistant is the default one of its graph. */
export function isDefaultAssistant(assistant: unknown): boolean {
  return isObject(assistant) && isObject(assistant['metadata']) && assistant['metadata']['created_by'] === 'system'
}

const created: AnswerPlace = { method: 'POST', path: '/assistants', at: [] }
const found: AnswerPlace = { method: 'POST', path: '/assistants/search', at: ['*'] }
const got: AnswerPlace = { method: 'GET', path: '/assistants/{assistant_id}', at: [] }
const other = (assistant: unknown): boolean => !isDefaultAssistant(assistant)

/** Table "Assistant": what holds of every assistant. */
export const assistantTable: FieldTable = {
  prefix: 'assistant.fields',
  area: 'deployment',
  section: 'Resources and their fields / Assistant',
  subject: 'an assistant',
  needs: 'assistant.create.answers-assistant',
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

/** Table "Assistant": what holds of the default assistant only. */
export const defaultAssistantTable: FieldTable = {
  prefix: 'assistant.default',
  area: 'deployment',
  section: 'Resources and their fields / Assistant',
  subject: 'the default assistant',
  needs: 'assistant.default.exists',
  profile: 'open',
  places: [
    { ...found, where: isDefaultAssistant },
    { ...got, where: isDefaultAssistant },
  ],
  fields: [
    field(
      'config',
      unlessNoObject(
        equals(
          'empty',
          'is an empty object',
          {},
          { recursion_limit: 1 },
          { interpretation: 'It stays so when further assistants of its graph are created.' },
        ),
      ),
    ),
    field(
      'metadata',
      holds(
        'created_by',
        'carries `created_by`',
        (value) => !isObject(value) || Object.hasOwn(value, 'created_by'),
        {},
      ),
      holds(
        'system',
        'carries `created_by` with the value `system`',
        (value) => !isObject(value) || !Object.hasOwn(value, 'created_by') || value['created_by'] === 'system',
        { created_by: 'touchstone' },
      ),
    ),
  ],
}

/** Table "Assistant": what holds of an assistant that a caller created. */
export const createdAssistantTable: FieldTable = {
  prefix: 'assistant.created',
  area: 'deployment',
  section: 'Resources and their fields / Assistant',
  subject: 'a created assistant',
  needs: 'assistant.create.answers-assistant',
  profile: 'open',
  places: [
    { ...created, where: other },
    { ...found, where: other },
    { ...got, where: other },
  ],
  fields: [
    field(
      'metadata',
      unlessNoObject(
        equals(
          'empty',
          'is an empty object',
          {},
          { kept: true },
          { interpretation: 'Holds without custom authentication only: a handler may write into metadata.' },
        ),
      ),
    ),
  ],
}

/** The type of the field is a row of its own: this fact holds of what is no object. */
function unlessNoObject(fact: ReturnType<typeof equals>): ReturnType<typeof equals> {
  return { ...fact, problem: (value, subject) => (isObject(value) ? fact.problem(value, subject) : undefined) }
}

const openDefault = {
  profile: 'open',
  interpretation: 'Looked for through all pages and without an owner filter, which may hide what belongs to nobody.',
} as const

export const assistantRequirements: readonly Requirement[] = [
  ...fieldRequirements(assistantTable),
  ...section('deployment', 'Resources and their fields / Assistant', [
    must('assistant.default.exists', 'Each deployed graph has a default assistant.', openDefault),
  ]),
  ...fieldRequirements(defaultAssistantTable),
  ...fieldRequirements(createdAssistantTable),
  ...section('deployment', 'Resources and their fields / Assistant', [
    must('assistant.updated-not-before-created', 'A new assistant is not updated before it was created.'),
    must('assistant.config.configurable-type', '`configurable` in the config of an assistant is an object.'),
    must('assistant.config.reaches-graph', 'A run of an assistant executes its graph with the configured settings.', {
      interpretation: 'An assistant is a configured instance of a graph.',
    }),
    must('assistant.config.own', 'Two assistants of one graph run each with settings of their own.', {
      interpretation: 'An assistant is a configured instance of a graph.',
    }),
    must('assistant.id.create-accepts', 'POST /threads/{thread_id}/runs accepts the id of an assistant.'),
    must('assistant.id.stream-accepts', 'POST /threads/{thread_id}/runs/stream accepts the id of an assistant.'),
    must(
      'assistant.name.create-accepts',
      'POST /threads/{thread_id}/runs accepts the name of a graph as assistant id.',
    ),
    must(
      'assistant.name.stream-accepts',
      'POST /threads/{thread_id}/runs/stream accepts the name of a graph as assistant id.',
    ),
    must(
      'assistant.name.run-carries-uuid',
      'A run created with the name of a graph carries a UUID as its `assistant_id`, not the name.',
    ),
    should(
      'assistant.name.run-of-default',
      'A run created with the name of a graph is executed by the default assistant of that graph.',
      {
        ...openDefault,
        interpretation: 'The document accepts the name; that it stands for the default assistant is advised.',
      },
    ),
    must('assistant.default.runs', 'The id of a default assistant is accepted by run creation.', openDefault),
    unspecified('assistant.fields.further', 'Which further fields an assistant carries.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /assistants', [
    must('assistant.create.answers-assistant', 'POST /assistants answers with an assistant.'),
    must('assistant.create.graph_id-required', 'POST /assistants without `graph_id` creates no assistant.', {
      interpretation: 'A required field: no 2xx answer with an assistant. How it is refused is open.',
    }),
    must('assistant.create.graph_id-kept', 'The `graph_id` of a created assistant is the name that was given.'),
    must('assistant.create.fresh-id', 'Every created assistant has an id of its own.'),
    must('assistant.create.config-optional', 'POST /assistants is accepted without `config`.'),
    must('assistant.create.config-accepted', 'POST /assistants is accepted with a `config` that holds `configurable`.'),
    must('assistant.create.config-kept', 'The config of a created assistant is the one that was given.', {
      interpretation: 'Every given setting comes back; what a server adds beside them is not judged.',
    }),
    unspecified('assistant.create.status-code', 'Which 2xx status POST /assistants answers with.'),
    unspecified('assistant.create.config-default', 'Which config an assistant has that was created without one.'),
    unspecified('assistant.create.unknown-graph', 'What POST /assistants answers for a graph that is not deployed.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / POST /assistants/search', [
    must('assistant.search.answers-array', 'POST /assistants/search answers with an array of assistants.'),
    must('assistant.search.limit', 'A page of POST /assistants/search holds no more assistants than `limit`.'),
    must('assistant.search.offset', 'POST /assistants/search passes over the first `offset` assistants.', {
      interpretation: 'Paged until every assistant that the check made has been seen; one seen twice is tolerated.',
    }),
    must('assistant.search.includes-created', 'POST /assistants/search finds the assistants that were created.'),
    must(
      'assistant.search.includes-default',
      'POST /assistants/search finds the default assistant of each deployed graph.',
      openDefault,
    ),
    must('assistant.search.as-created', 'POST /assistants/search shows an assistant as it was created.', {
      interpretation: 'The documented fields have the values of the creation answer.',
    }),
    unspecified(
      'assistant.search.default-page',
      'How many assistants POST /assistants/search returns without `limit`.',
    ),
    unspecified('assistant.search.order', 'In which order POST /assistants/search returns assistants.'),
    unspecified('assistant.search.page-headers', 'Which headers of POST /assistants/search tell of further pages.'),
  ]),
  ...section('deployment', 'Endpoints / A. Deployment API / GET /assistants/{assistant_id}', [
    must('assistant.get.answers-assistant', 'GET /assistants/{assistant_id} answers with an assistant.'),
    must('assistant.get.that-assistant', 'GET /assistants/{assistant_id} answers with the assistant of that id.'),
    must('assistant.get.as-created', 'GET /assistants/{assistant_id} shows an assistant as it was created.', {
      interpretation: 'The documented fields have the values of the creation answer.',
    }),
    must('assistant.get.default', 'GET /assistants/{assistant_id} answers with a default assistant.', openDefault),
    unspecified(
      'assistant.get.unknown-id',
      'What GET /assistants/{assistant_id} answers for an id that does not exist.',
    ),
    unspecified('assistant.get.malformed-id', 'What GET /assistants/{assistant_id} answers for an id that is no UUID.'),
    unspecified('assistant.get.graph-name', 'What GET /assistants/{assistant_id} answers for the name of a graph.'),
  ]),
]
