import type { Scenario } from '../scenario.ts'
import { messageFieldScenarios } from './message-fields.ts'
import { messageInputScenarios } from './message-input.ts'
import { messageOpenScenarios } from './message-open.ts'
import { messageOrderScenarios } from './message-order.ts'

export const messageScenarios: readonly Scenario[] = [
  ...messageInputScenarios,
  ...messageOrderScenarios,
  ...messageFieldScenarios,
  ...messageOpenScenarios,
]
