import type { Choice } from './choice.ts'
import { streamChoices } from './deployment/streams.ts'
import { timestampChoices } from './deployment/timestamps.ts'
import { bodyChoices } from './http/bodies.ts'
import { connectionChoices } from './http/connection.ts'
import { errorChoices } from './http/errors.ts'

/** All choices, in the order in which they are applied to a server: the last one is nearest to the client. */
export const choices: readonly Choice[] = [
  ...timestampChoices,
  ...streamChoices,
  ...errorChoices,
  ...bodyChoices,
  ...connectionChoices,
]
