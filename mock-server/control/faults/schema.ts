import { z } from 'zod'
import { checked, strictObject } from '../../http/validation.ts'
import { knownRoute } from '../route-pattern.ts'
import type { Fault } from './fault.ts'

const position = z.int().min(1)
const events = z.int().min(0)
const ms = z.number().min(0)
const carriedOut = z.boolean().optional()

const target = {
  route: knownRoute.optional(),
  nth: position.optional(),
  first: position.optional(),
  from: position.optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.union([z.string(), z.number()], { error: 'expected a text or a number' }).optional(),
}

const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/
const headers = z.record(
  z.string().regex(token, { error: 'expected the name of a header' }),
  // Control characters would end the header.
  z.string().regex(/^[\t\u{20}-\u{7e}\u{80}-\u{ff}]*$/u, { error: 'expected the value of a header' }),
)

const kinds = [
  strictObject({ type: z.literal('latency'), ms, ...target }),
  strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
    headers: headers.optional(),
    carriedOut,
    ...target,
  }),
  strictObject({ type: z.literal('rate-limit'), retryAfter: z.int().min(0).optional(), carriedOut, ...target }),
  strictObject({ type: z.literal('reset'), after: events.optional(), carriedOut, ...target }),
  strictObject({ type: z.literal('malformed-json'), event: position.optional(), ...target }),
  strictObject({ type: z.literal('broken-utf8'), event: position.optional(), ...target }),
  strictObject({ type: z.literal('split-utf8'), event: position.optional(), ...target }),
  strictObject({ type: z.literal('cut'), after: events, ...target }),
  strictObject({ type: z.literal('stall'), after: events, ms: ms.optional(), ...target }),
  strictObject({ type: z.literal('duplicate'), event: position.optional(), ...target }),
] as const

const types = kinds.map(({ shape }) => shape.type.value)

/** The schema of a fault over HTTP, in a header or from a caller without types. */
export const faultSchema: z.ZodType<Fault> = z
  .discriminatedUnion('type', kinds, {
    error: ({ code }) => (code === 'invalid_union' ? `expected one of ${types.join(', ')}` : 'expected a fault'),
  })
  .refine(({ nth, first, from }) => [nth, first, from].filter((number) => number !== undefined).length < 2, {
    error: 'expected at most one of nth, first and from',
  })
  .refine((fault) => !(fault.type === 'reset' && fault.carriedOut && fault.after !== undefined), {
    error: 'expected at most one of after and carriedOut',
  })

/** Returns the value as a fault. Throws a TypeError for an invalid one. */
export function checkFault(value: unknown): Fault {
  return checked(faultSchema, value, 'The fault')
}
