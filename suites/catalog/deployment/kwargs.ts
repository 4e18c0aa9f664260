import { isDeepStrictEqual } from 'node:util'
import { array, boolean, equals, holds, object, present, sameAs, shown } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { type Requirement, section, should, unspecified } from '../requirement.ts'
import { given, isGiven, runPlaces, unknownId } from './given.ts'

const sectionName = 'Resources and their fields / Run / kwargs'
const common = { area: 'deployment', section: sectionName } as const
const nullByDefault = equals('default', 'is null by default', null, { touchstone: true })

/** Table "Fields of kwargs". */
export const kwargsTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs',
  subject: 'kwargs',
  needs: 'run.fields.kwargs.type',
  places: runPlaces('kwargs'),
  fields: [
    field(
      'input',
      present(),
      object(),
      holds(
        'given',
        'is the input given at creation',
        (value, subject) => isDeepStrictEqual(value, given('input')(subject)),
        { messages: [] },
      ),
    ),
    field('config', present(), object()),
    field('webhook', shown(), equals('default', 'is null when not set', null, 'https://example.org/hook')),
    field('temporary', shown(), boolean(), equals('default', 'is false by default', false, true)),
    field(
      'stream_mode',
      present(),
      array(),
      holds(
        'elements',
        'holds strings',
        (value) => !Array.isArray(value) || value.every((mode) => typeof mode === 'string'),
        [1],
      ),
      equals('default', 'holds `values` alone when none was supplied', ['values'], ['updates']),
    ),
    field('feedback_keys', shown(), nullByDefault),
    field('interrupt_after', shown(), nullByDefault),
    field('interrupt_before', shown(), nullByDefault),
  ],
}

/** `config` inside `kwargs`. */
export const configTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs.config',
  subject: 'kwargs.config',
  needs: 'run.kwargs.config.type',
  places: runPlaces('kwargs', 'config'),
  fields: [field('metadata', present(), object()), field('configurable', present(), object())],
}

/** `metadata` inside `kwargs.config`, of a run that the default assistant executes. */
export const configMetadataTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs.config.metadata',
  subject: 'kwargs.config.metadata of a run of the default assistant',
  needs: 'run.kwargs.config.metadata.type',
  places: runPlaces('kwargs', 'config', 'metadata'),
  fields: [
    field(
      'created_by',
      present(),
      equals('system', 'is `system` for a run started by a caller', 'system', 'touchstone'),
    ),
  ],
}

/** `configurable` inside `kwargs.config`. */
export const configurableTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs.config.configurable',
  subject: 'kwargs.config.configurable',
  needs: 'run.kwargs.config.configurable.type',
  places: runPlaces('kwargs', 'config', 'configurable'),
  fields: [
    field('run_id', present(), holds('own', 'is the id of the run', isGiven('run_id'), unknownId)),
    field(
      'user_id',
      shown(),
      equals('default', 'is an empty string without custom authentication', '', 'someone', { profile: 'open' }),
    ),
    field('graph_id', present(), sameAs('own', 'is the name of the graph', given('graph_id'), 'no-such-graph')),
    field('thread_id', present(), holds('own', 'is the id of the thread', isGiven('thread_id'), unknownId)),
    field('assistant_id', present(), sameAs('own', 'is the id of the assistant', given('assistant_id'), unknownId)),
    field('checkpoint_id', shown(), equals('default', 'is null unless set', null, unknownId)),
  ],
}

export const kwargsRequirements: readonly Requirement[] = [
  ...[kwargsTable, configTable, configMetadataTable, configurableTable].flatMap(fieldRequirements),
  ...section('deployment', sectionName, [
    should(
      'run.kwargs.config.metadata.created_by.any-assistant',
      '`created_by` of kwargs.config.metadata is `system` also for a run of an assistant that a caller made.',
      { interpretation: 'It is the default assistant that carries the value: on the runs of others it is advised.' },
    ),
    unspecified('run.kwargs.input.absent', 'What `input` of kwargs holds where none was given.'),
    unspecified('run.kwargs.webhook.other-forms', 'Which form `webhook` of kwargs takes when it is set.'),
    unspecified('run.kwargs.feedback_keys.other-forms', 'Which form `feedback_keys` of kwargs takes beside null.'),
    unspecified('run.kwargs.interrupt_after.other-forms', 'Which form `interrupt_after` of kwargs takes beside null.'),
    unspecified(
      'run.kwargs.interrupt_before.other-forms',
      'Which form `interrupt_before` of kwargs takes beside null.',
    ),
    unspecified(
      'run.kwargs.config.configurable.checkpoint_id.set',
      'What `checkpoint_id` holds when a checkpoint is named.',
    ),
    unspecified('run.kwargs.further', 'Which further keys kwargs, its `config` and its `configurable` carry.'),
  ]),
]
