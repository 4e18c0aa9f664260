import { isDeepStrictEqual } from 'node:util'
import { firstDifference } from '../difference.ts'
import { array, boolean, equals, matches, object, present, sameAs, shouldBePresent } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { each, type Requirement, section, should, unspecified } from '../requirement.ts'
import { requested, runPlaces, unknownId } from './run-places.ts'

const sectionName = 'Resources and their fields / Run / kwargs'
const common = { area: 'deployment', section: sectionName } as const
const nullByDefault = equals('default', 'is null by default', null, { touchstone: true })

/** Returns JSON, of a long text without its middle. */
function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 200 ? `${text.slice(0, 100)}… (${text.length} characters) …${text.slice(-50)}` : text
}

/** Fields of `kwargs`. */
export const kwargsTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs',
  subject: '`kwargs`',
  places: runPlaces('kwargs'),
  fields: [
    field('input', present(), object(), {
      ...matches('given', 'is the `input` from the request', () => true, { messages: [] }),
      problem: (value, subject) => {
        const input = requested('input')(subject)
        if (value === undefined || isDeepStrictEqual(value, input)) return undefined
        const { path, expected, received } = firstDifference({ input: value }, { input })
        const wanted = `with ${shorten(expected)} as \`${path}\``
        return { expected: 'the `input` from the request', value: wanted, received: shorten(received) }
      },
    }),
    field('config', present(), object()),
    field('webhook', shouldBePresent(), equals('default', 'is null if not set', null, 'https://example.org/hook')),
    field('temporary', shouldBePresent(), boolean(), equals('default', 'is false by default', false, true)),
    field(
      'stream_mode',
      present(),
      array(),
      matches(
        'elements',
        'contains only strings',
        (value) => !Array.isArray(value) || value.every((mode) => typeof mode === 'string'),
        [1],
      ),
      equals('default', 'contains only `values` if the request had no `stream_mode`', ['values'], ['updates']),
    ),
    field('feedback_keys', shouldBePresent(), nullByDefault),
    field('interrupt_after', shouldBePresent(), nullByDefault),
    field('interrupt_before', shouldBePresent(), nullByDefault),
  ],
}

/** Fields of `kwargs.config`. */
export const configTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs.config',
  subject: '`kwargs.config`',
  places: runPlaces('kwargs', 'config'),
  fields: [field('metadata', present(), object()), field('configurable', present(), object())],
}

/** Fields of `kwargs.config.metadata` of a run of the default assistant. */
export const configMetadataTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs.config.metadata',
  subject: '`kwargs.config.metadata` of a run of the default assistant',
  places: runPlaces('kwargs', 'config', 'metadata'),
  fields: [
    field('created_by', present(), equals('system', 'is `system` if a caller created the run', 'system', 'touchstone')),
  ],
}

/** Fields of `kwargs.config.configurable`. */
export const configurableTable: FieldTable = {
  ...common,
  prefix: 'run.kwargs.config.configurable',
  subject: '`kwargs.config.configurable`',
  places: runPlaces('kwargs', 'config', 'configurable'),
  fields: [
    field('run_id', present(), sameAs('own', 'is the id of the run', requested('run_id'), unknownId)),
    field(
      'user_id',
      shouldBePresent(),
      equals('default', 'is an empty string without custom authentication', '', 'someone', { profile: 'open' }),
    ),
    field('graph_id', present(), sameAs('own', 'is the name of the graph', requested('graph_id'), 'no-such-graph')),
    field('thread_id', present(), sameAs('own', 'is the id of the thread', requested('thread_id'), unknownId)),
    field('assistant_id', present(), sameAs('own', 'is the id of the assistant', requested('assistant_id'), unknownId)),
    field('checkpoint_id', shouldBePresent(), equals('default', 'is null unless set', null, unknownId)),
  ],
}

export const kwargsRequirements: readonly Requirement[] = [
  ...[kwargsTable, configTable, configMetadataTable, configurableTable].flatMap(fieldRequirements),
  ...section('deployment', sectionName, [
    should(
      'run.kwargs.config.metadata.created_by.any-assistant',
      '`created_by` of `kwargs.config.metadata` is `system` also for a run of an assistant that a client created.',
      {
        interpretation: 'The specification states this value for the default assistant, so it is a SHOULD for others.',
      },
    ),
    ...each(unspecified, {
      'run.kwargs.input.absent': 'What `kwargs.input` contains if the request had no `input`.',
      'run.kwargs.webhook.other-forms': 'Which form `kwargs.webhook` has when it is set.',
      'run.kwargs.feedback_keys.other-forms': 'Which form `kwargs.feedback_keys` has when it is not null.',
      'run.kwargs.interrupt_after.other-forms': 'Which form `kwargs.interrupt_after` has when it is not null.',
      'run.kwargs.interrupt_before.other-forms': 'Which form `kwargs.interrupt_before` has when it is not null.',
      'run.kwargs.config.configurable.checkpoint_id.set':
        'What `kwargs.config.configurable.checkpoint_id` contains if the request names a checkpoint.',
      'run.kwargs.further': 'Which additional keys `kwargs`, `kwargs.config` and `kwargs.config.configurable` have.',
    }),
  ]),
]
