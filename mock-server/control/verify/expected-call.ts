import { z } from 'zod'
import { strictObject } from '../../http/validation.ts'
import { expectedText } from '../../scripting/match.ts'
import type { TextPattern } from '../../scripting/pattern.ts'
import { knownRoute } from '../route-pattern.ts'

/** The requests that a verification expects. A request must meet all conditions. */
export interface ExpectedCall {
  /** As in a fault: `POST /threads/{thread_id}/runs`, or a path alone for every method, or `/threads/*`. */
  readonly route?: string | undefined
  readonly method?: string | undefined
  /** The status of the response. */
  readonly status?: number | undefined
  /** The text of the newest human message of the input is this text, or contains this pattern. */
  readonly text?: string | TextPattern | undefined
  /** The body of the request. Objects of the request may have more fields, arrays have exactly these items. */
  readonly body?: unknown
  /** Headers of the request. The values of secrets are `[redacted]`. */
  readonly headers?: Readonly<Record<string, string | TextPattern>> | undefined
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, string | TextPattern>> | undefined
  /**
   * The number of such requests, or its bounds.
   * @default { min: 1 }
   */
  readonly times?: number | { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
}

/** Options of a verification. */
export interface VerifyOptions {
  /**
   * Whether the requests must come in the order of the expected ones. Other requests may come between them.
   * @default false
   */
  readonly inOrder?: boolean | undefined
  /**
   * Whether every request must be an expected one.
   * @default false
   */
  readonly nothingElse?: boolean | undefined
  /** Only requests after the exchange with this id. */
  readonly after?: number | undefined
}

/** A verification as the body of a request. */
export interface Verification extends VerifyOptions {
  readonly calls: readonly ExpectedCall[]
}

const count = z.int().min(0)
const texts = z.record(z.string(), expectedText)

const expectedCall = strictObject({
  route: knownRoute.optional(),
  method: z.string().optional(),
  status: z.int().optional(),
  text: expectedText.optional(),
  body: z.unknown().optional(),
  headers: texts.optional(),
  query: texts.optional(),
  times: z.union([count, strictObject({ min: count.optional(), max: count.optional() })]).optional(),
})

/** The schema of a verification over HTTP, or of a caller without types. */
export const verification: z.ZodType<Verification> = strictObject({
  calls: z.array(expectedCall),
  inOrder: z.boolean().optional(),
  nothingElse: z.boolean().optional(),
  after: z.number().optional(),
}).refine(({ calls, nothingElse = false }) => calls.length > 0 || nothingElse, {
  path: ['calls'],
  error: 'expected at least one call, or "nothingElse": true',
})

/** Returns how often an expected request must come. */
export function boundsOf({ times = { min: 1 } }: ExpectedCall): { readonly min: number; readonly max: number } {
  if (typeof times === 'number') return { min: times, max: times }
  return { min: times.min ?? 0, max: times.max ?? Number.POSITIVE_INFINITY }
}
