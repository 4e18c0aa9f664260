import { guardedEndpoints } from '../../catalog/deployment/auth-refusal.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import type { DeploymentModel } from '../../model/deployment.ts'
import { contentOf, type Exchange } from '../../model/exchange.ts'
import { show } from '../../values/json.ts'
import { nameOf, statusAndBody } from '../common.ts'
import { type Rule, rule, rules, type Subject, verify } from '../rule.ts'

const faults = { nobody: 'missing', invalid: 'wrong' } as const
const conditions = { missing: 'without credentials', wrong: 'with wrong credentials' } as const

/** A request without valid credentials. */
interface Intrusion extends Subject {
  readonly fault: 'missing' | 'wrong'
}

export function faultOf({ user, intent }: Exchange): Intrusion['fault'] | undefined {
  return intent === 'probe' ? undefined : faults[user as keyof typeof faults]
}

/** Requests without valid credentials that the server accepts from a user. */
function* intrusions(model: DeploymentModel): Iterable<Intrusion> {
  if (model.endpoint.profile !== 'custom-auth') return
  const formOf = ({ method, url, requestText }: Exchange) => JSON.stringify([method, url, requestText])
  const valid = model.exchanges.filter((exchange) => exchange.intent === 'documented' && isValid(exchange))
  const controls = new Map(valid.map((exchange) => [formOf(exchange), exchange]))
  for (const exchange of model.exchanges) {
    const [fault, control] = [faultOf(exchange), controls.get(formOf(exchange))]
    if (fault && control && exchange.fate === 'answered') yield { exchange, setup: [control], fault }
  }
}

/** Whether credentials were accepted. The response of GET /threads to valid credentials is unspecified. */
function isValid({ operation, accepted, fate, status }: Exchange): boolean {
  return accepted || (operation === 'GET /threads' && fate === 'answered' && status !== 401 && status !== 403)
}

const refusedRules = guardedEndpoints.flatMap(({ key, method, path }) =>
  (['missing', 'wrong'] as const).map((fault) =>
    rule(`auth.refused.${key}.${fault}-credentials` as RequirementId, {
      each: intrusions,
      when: (intrusion) => intrusion.fault === fault && intrusion.exchange.operation === `${method} ${path}`,
      evaluate({ exchange }) {
        const name = `the response to ${nameOf(exchange)} ${conditions[fault]}`
        return verify(exchange.status === 401, name, '401', statusAndBody(exchange))
      },
    }),
  ),
)

/** Refusals with 401 where the detail message of the handler is known. */
function* refusals(model: DeploymentModel) {
  const detail = model.endpoint.refusalDetail
  for (const exchange of detail === undefined ? [] : model.exchanges) {
    const fault = faultOf(exchange)
    if (fault && exchange.status === 401) yield { exchange, fault, detail: detail ?? '' }
  }
}

const detailRule = (fault: Intrusion['fault']) => (refusal: { exchange: Exchange; fault: string; detail: string }) =>
  refusal.fault === fault &&
  verify(
    contentOf(refusal.exchange).includes(refusal.detail),
    `the body of the 401 response to a request ${conditions[fault]}`,
    `${show(refusal.detail)} anywhere in it`,
    refusal.exchange.text,
  )

/** Rules about requests that the authentication handler must reject. */
export const authRefusalRules: readonly Rule<DeploymentModel>[] = [
  ...refusedRules,
  ...rules(refusals, {
    'errors.unauthenticated.detail-missing': detailRule('missing'),
    'errors.unauthenticated.detail-wrong': detailRule('wrong'),
  }),
]
