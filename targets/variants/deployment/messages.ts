import type { Wrap } from '../../wrappers/fetch.ts'
import type { Fields } from '../../wrappers/requests.ts'
import { objects } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'

/** Stored and streamed messages. */
export const messageChoices: readonly Choice[] = choicesOf('deployment', {
  'message.content': {
    description: 'The form of the content of messages.',
    legal: 'Message: a string or an array of content blocks (message.content.blocks)',
    values: {
      'blocks-of-ai': { wrap: messages((message) => (message['type'] === 'ai' ? inBlocks(message) : message)) },
      blocks: { wrap: messages((message) => inBlocks(message)) },
      'several-blocks': { wrap: messages((message) => (message['type'] === 'ai' ? inBlocks(message, 2) : message)) },
    },
  },
  'message.name': {
    description: 'The name of messages.',
    legal: 'Message: a string or null',
    values: { given: { wrap: messages((message) => ({ ...message, name: message['name'] ?? 'somebody' })) } },
  },
  'message.further': {
    description: 'Keys of the objects in messages.',
    legal: 'message.further: the complete message schema is not shown',
    values: {
      provider: {
        wrap: messages((message) => ({
          ...message,
          additional_kwargs: { refusal: null },
          response_metadata: { ...Object(message['response_metadata']), finish_reason: 'stop', model_name: 'm' },
        })),
      },
    },
  },
  'message.usage': {
    description: 'The usage of messages of type `ai`.',
    legal: 'Message: an object or null',
    values: {
      counted: {
        wrap: messages((message) =>
          message['type'] === 'ai'
            ? {
                ...message,
                usage_metadata: message['usage_metadata'] ?? {
                  input_tokens: 7,
                  output_tokens: 0,
                  total_tokens: 7,
                  cached: {},
                },
              }
            : message,
        ),
      },
    },
  },
  'message.tool': {
    description: 'Values in messages of tools and in calls of tools.',
    legal: 'message.tool_call.types, message.tool.artifact.value, message.tool.status.value: not shown',
    values: {
      other: {
        wrap: objects((object) => {
          if (object['type'] === 'tool_call' && 'args' in object) return { ...object, type: 'function' }
          return object['type'] === 'tool' && 'content' in object ? { ...object, artifact: null, status: 'ok' } : object
        }),
      },
      // A run calls one tool.
      'equal-call-ids': {
        wrap: objects((object) => {
          if (object['type'] === 'tool_call' && 'args' in object) return { ...object, id: 'call_1' }
          return 'tool_call_id' in object ? { ...object, tool_call_id: 'call_1' } : object
        }),
      },
    },
  },
})

function messages(change: (message: Fields) => Record<string, unknown>): Wrap {
  return objects((object) => ('response_metadata' in object && 'content' in object ? change(object) : object))
}

function inBlocks(message: Fields, count = 1): Record<string, unknown> {
  const { content } = message
  if (typeof content !== 'string') return { ...message }
  const size = Math.ceil(content.length / count)
  const texts = Array.from({ length: count }, (_, index) => content.slice(index * size, (index + 1) * size))
  return { ...message, content: texts.map((text) => ({ type: 'text', text, annotations: [] })) }
}
