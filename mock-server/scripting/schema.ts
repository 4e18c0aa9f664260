import { z } from 'zod'

// Descriptions stand in the published schema, where editors show them.

const object = z.looseObject({})
const ms = z.number().min(0)
const node = z.string().min(1).optional().describe('The node that takes the step')
const place = { node, set: object.optional().describe('Values of further channels of the state') }

const message = z.looseObject({
  role: z.string().optional(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
})

const toolUse = z.strictObject({
  name: z.string().min(1),
  args: object.default({}),
  id: z.string().min(1).optional(),
  result: z.unknown().describe('Content of the message of the tool').optional(),
  error: z.string().describe('Content of the message of the tool, whose status is `error`').optional(),
  artifact: z.unknown().optional(),
  tookMs: ms.optional(),
})

/** The key that names a step. */
type StepName = 'say' | 'stream' | 'callTool' | 'interrupt' | 'fail' | 'pause' | 'emit' | 'setState'

/** The steps by the key that names them. */
export const steps: Readonly<Record<StepName, z.ZodType>> = {
  say: z.strictObject({ say: z.union([z.string(), message]), ...place }).describe('Says a message in one piece'),
  stream: z
    .strictObject({
      stream: z.union([
        z.string(),
        z.array(z.union([z.string(), z.strictObject({ text: z.string(), afterMs: ms.optional() })])),
      ]),
      firstMs: ms.optional(),
      everyMs: ms.optional(),
      message: message.optional(),
      ...place,
    })
    .describe('Streams a message: the words of a text, or pieces as they are given'),
  callTool: z
    .strictObject({
      callTool: z.union([toolUse, z.array(toolUse).min(1)]),
      content: z.string().optional(),
      toolNode: z.string().min(1).optional(),
      ...place,
    })
    .describe('Calls tools: a message with the calls, then the messages of the tools that have a result or an error'),
  interrupt: z
    .strictObject({ interrupt: z.unknown(), node })
    .describe('Asks, and stops the run; a run with `command: { resume }` goes on behind it'),
  fail: z
    .strictObject({ fail: z.union([z.string(), z.strictObject({ error: z.string(), message: z.string() })]), node })
    .describe('Fails the run'),
  pause: z.strictObject({ pause: ms }).describe('Milliseconds of the server’s clock before the next step'),
  emit: z.strictObject({ emit: z.unknown() }).describe('Streams an event of mode `custom`'),
  setState: z.strictObject({ setState: object, node }).describe('Writes to channels of the state'),
}
