import { plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Run } from '../records.ts'

/** Returns the result of a run in the payload of its webhook. */
export type WebhookPresenter = (run: Run, isRolledBack: boolean) => JsonObject

/** Returns the status, the values after the run and, of a failed run, its error. */
export const presentWebhook: WebhookPresenter = ({ status, outcome }) => ({
  status,
  values: outcome?.values == null ? null : plainValues(outcome.values),
  ...(outcome?.error !== undefined && { error: outcome.error }),
})
