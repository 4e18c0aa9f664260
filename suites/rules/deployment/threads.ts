import { threadTable } from '../../catalog/deployment/thread.ts'
import { isObject } from '../../catalog/facts.ts'
import type { DeploymentModel } from '../../model/deployment.ts'
import { show } from '../../values/json.ts'
import { acceptsCaller, freshIdRule, type ShownObject, statusAndBody, updatedNotBeforeCreatedRule } from '../common.ts'
import { fieldRule } from '../field-rule.ts'
import { mismatch, type Rule, rule, verify } from '../rule.ts'

const created = (model: DeploymentModel): readonly ShownObject[] =>
  model.of('POST /threads').map((exchange) => ({ exchange, value: exchange.json }))

/** Rules about the creation of threads. */
export const threadRules: readonly Rule<DeploymentModel>[] = [
  fieldRule(threadTable, (model: DeploymentModel) =>
    // A body that is not an object lacks every field.
    created(model).map(({ value, ...rest }) => ({
      ...rest,
      value: value === undefined || isObject(value) ? value : {},
    })),
  ),
  rule('thread.create.accepts-empty-object', {
    each: (model: DeploymentModel) => model.attempts('POST /threads').map((exchange) => ({ exchange })),
    evaluate: ({ exchange }) =>
      verify(exchange.accepted, 'the response to POST /threads', 'a 2xx response', statusAndBody(exchange)),
  }),
  rule('thread.create.answers-json', {
    each: created,
    evaluate: ({ exchange, value }) =>
      value === undefined ? mismatch('the body of POST /threads', 'JSON', show(exchange.text, 300)) : undefined,
  }),
  freshIdRule('thread.create.fresh-id', created, 'thread_id'),
  updatedNotBeforeCreatedRule('thread.updated-not-before-created', created),
  rule('thread.list.accepts-credentials', {
    each: (model: DeploymentModel) => model.attempts('GET /threads').map((exchange) => ({ exchange })),
    // Credentials that are refused everywhere fail another requirement.
    when: ({ exchange }, model) => acceptsCaller(model, exchange),
    evaluate: ({ exchange }) =>
      verify(
        exchange.status !== 401 && exchange.status !== 403,
        'the response to GET /threads',
        'neither 401 nor 403',
        statusAndBody(exchange),
      ),
  }),
]
