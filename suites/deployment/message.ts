import type { Check } from '../harness/check.ts'
import { messageFieldChecks } from './message-fields.ts'
import { messageInputChecks } from './message-input.ts'
import { messageOpenChecks } from './message-open.ts'
import { messageOrderChecks } from './message-order.ts'

export const messageChecks: readonly Check[] = [
  ...messageInputChecks,
  ...messageOrderChecks,
  ...messageFieldChecks,
  ...messageOpenChecks,
]
