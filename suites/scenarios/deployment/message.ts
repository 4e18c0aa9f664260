import type { Scenario } from '../scenario.ts'
import { messageFieldScenarios } from './message-fields.ts'
import { messageInputScenarios } from './message-input.ts'
import { messageOrderScenarios } from './message-order.ts'
import { unspecifiedMessageScenarios } from './unspecified-messages.ts'

export const messageScenarios: readonly Scenario[] = [
  ...messageInputScenarios,
  ...messageOrderScenarios,
  ...messageFieldScenarios,
  ...unspecifiedMessageScenarios,
]
