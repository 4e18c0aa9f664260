import { z } from 'zod'
import { strictObject } from '../http/validation.ts'
import { hasOnePace, paceShape } from './pace.ts'

// Descriptions are part of the published schema, and editors show them.

/** The message for a value that matches no type of a union. Objects and arrays keep their own issues. */
export function ifNoObject(expected: string): { error: (issue: { input?: unknown }) => string | undefined } {
  return { error: ({ input }) => (typeof input === 'object' && input !== null ? undefined : expected) }
}

const object = z.looseObject({})
const ms = z.number().min(0)
const node = z.string().min(1).optional().describe('The node of the step in streams and states')
const place = { node, set: object.optional().describe('Values of further channels of the state') }

const message = z.looseObject({
  role: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
})

const pieces = z.union(
  [
    z.string(),
    z.array(
      z.union(
        [z.string(), strictObject({ text: z.string(), afterMs: ms.optional() })],
        ifNoObject('expected a text or a piece with "text"'),
      ),
    ),
  ],
  ifNoObject('expected a text, or an array of texts and pieces'),
)
const reasoning = pieces.describe('Reasoning of the model before the text')
const onePace = { error: 'expected at most one of everyMs and tokensPerSecond' }
/** The keys of a tool call that only apply if it is streamed. */
const STREAMED = ['reasoning', 'firstMs', 'everyMs', 'tokensPerSecond', 'jitter', 'seed'] as const

const toolUse = strictObject({
  name: z.string().min(1),
  args: object.default({}),
  id: z.string().min(1).optional(),
  result: z.unknown().describe('Content of the tool message').optional(),
  error: z.string().describe('Content of the tool message, whose status is `error`').optional(),
  artifact: z.unknown().optional(),
  tookMs: ms.optional(),
})

/** The key that names a step. */
type StepName = 'say' | 'stream' | 'callTool' | 'interrupt' | 'fail' | 'pause' | 'emit' | 'setState' | 'subgraph'

/** The steps by the key that names them. */
export const steps: Readonly<Record<StepName, z.ZodType>> = {
  say: strictObject({
    say: z.union([z.string(), message], ifNoObject('expected a text or a message')),
    ...place,
  }).describe('Sends a whole message'),
  stream: strictObject({
    stream: pieces,
    reasoning: reasoning.optional(),
    ...paceShape,
    message: message.optional(),
    ...place,
  })
    .refine(hasOnePace, onePace)
    .describe('Streams a message: the words of a text, or the pieces of an array'),
  callTool: strictObject({
    callTool: z.union(
      [toolUse, z.array(toolUse).min(1)],
      ifNoObject('expected a call with "name" and "args", or an array of them'),
    ),
    content: z.string().optional(),
    toolNode: z.string().min(1).optional(),
    streamed: z.boolean().optional().describe('Streams the content by words and the arguments in pieces'),
    reasoning: reasoning.optional(),
    message: message.optional(),
    ...paceShape,
    ...place,
  })
    .refine(hasOnePace, onePace)
    .refine(({ streamed, ...step }) => streamed === true || !STREAMED.some((key) => step[key] !== undefined), {
      error: `expected "streamed": true with any of ${STREAMED.join(', ')}`,
    })
    .describe('Calls tools: a message with the calls, then a tool message for each call with a result or an error'),
  interrupt: strictObject({ interrupt: z.unknown(), node }).describe(
    'Interrupts the run; a run with `command: { resume }` continues after it',
  ),
  fail: strictObject({
    fail: z.union(
      [z.string(), strictObject({ error: z.string(), message: z.string() })],
      ifNoObject('expected a text, or an Error, which is an object with "error" and "message"'),
    ),
    node,
  }).describe('Fails the run'),
  pause: strictObject({ pause: ms }).describe('Milliseconds of the server’s clock before the next step'),
  emit: strictObject({ emit: z.unknown() }).describe('Streams an event of mode `custom`'),
  setState: strictObject({ setState: object, node }).describe('Writes to channels of the state'),
  // Its steps are validated one by one, because the errors of a union are hard to read.
  subgraph: subgraphWith(z.unknown()),
}

/** Returns the schema of a subgraph with this schema of parts. */
export function subgraphWith(part: z.ZodType): z.ZodType {
  return strictObject({ subgraph: z.string().min(1), steps: z.array(part).min(1) }).describe(
    'Runs steps as a subgraph, in a node with this name. They cannot contain "interrupt"',
  )
}
