import { catalog, requirement as entryOf } from '../../catalog/catalog.ts'
import { destinationErrors } from '../../catalog/export/access.ts'
import { exportFields } from '../../catalog/export/files.ts'
import { uuidsIn } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import { contentOf, type Exchange } from '../../model/exchange.ts'
import { type ExportModel, isScheduled } from '../../model/export.ts'
import { filterCases } from '../../values/export/filter-cases.ts'
import { isLimitRefusal, namesLimit } from '../../values/export/limit-refusal.ts'
import { listOf } from '../../values/export/lists.ts'
import { nestedFields } from '../../values/export/record-fields.ts'
import { type StoreRefusal, storeRefusals } from '../../values/export/store-refusals.ts'
import { isScheduleRequest } from '../../values/export/windows.ts'
import { at, show, textAt, textsIn } from '../../values/json.ts'
import { freshIdRule, nameOf, responsesTo, statusAndBody } from '../common.ts'
import { mismatch, type Rule, rule, rules, type Subject, verify, verifyIncludes } from '../rule.ts'

type ById = Readonly<Partial<Record<RequirementId, RequirementId>>>

const usable = exportFields.map((field) => `export.fields.${field}.usable` as const)
const [oneOff, schedule, scheduleFilter, scheduleFields, fields, filter, cancel] = [
  'export.create.accepted',
  'export.create.scheduled.accepted',
  'export.schedule.filter',
  'export.schedule.fields',
  'export.fields.accepted',
  'export.filter.accepted',
  'export.cancel.accepted',
] as const

/** Requirements that the server accepts a request, each with the requirement that blocks it when that fails. */
const accepting: ById & Readonly<Record<string, RequirementId>> = {
  'export.destination.create.accepted': 'export.destination.create.accepted',
  'export.destination.test-file.delete-optional': 'export.destination.create.accepted',
  'export.destination.session-token.accepted': 'export.destination.create.accepted',
  'export.destination.ambient-credentials': 'export.destination.create.accepted',
  'export.versioning.session-token.on': 'export.destination.create.accepted',
  'export.versioning.ambient-credentials.on': 'export.destination.create.accepted',
  'export.versioning.interval-hours.on': oneOff,
  'export.versioning.export-fields.on': oneOff,
  [oneOff]: oneOff,
  [schedule]: schedule,
  'export.limits.hours.least': schedule,
  'export.limits.hours.most': schedule,
  [scheduleFilter]: schedule,
  [scheduleFields]: schedule,
  [filter]: oneOff,
  // Which runs an accepted filter exports decides the rest.
  ...Object.fromEntries(filterCases.map(({ requirement }) => [requirement, filter])),
  [fields]: oneOff,
  ...Object.fromEntries(usable.map((id) => [id, fields])),
  [cancel]: cancel,
  'export.cancel.new-export': 'export.cancel.new-export',
}

/** Requirements that the server refuses a request with a fault. */
const refusing = catalog.flatMap(({ id, refuses }) => (refuses === undefined ? [] : [id])) as readonly RequirementId[]

/** Requirements about refusals that depend on the store, each with what the store must refuse. */
const refusedByStore: Readonly<Partial<Record<RequirementId, StoreRefusal>>> = {
  'export.destination.test-file.rejects': 'access-denied',
  'export.errors.access-denied.refused': 'access-denied',
  'export.errors.bucket-missing.refused': 'bucket-missing',
  'export.errors.unknown-key.refused': 'unknown-key',
  'export.errors.wrong-secret': 'wrong-secret',
  'export.destination.access_key_id.required': 'wrong-secret',
  'export.destination.secret_access_key.required': 'wrong-secret',
}

/** Whether a response is a refusal; in the body of an error, an `id` is that of the error. */
export function isRefusal({ accepted, status = 0, json }: Exchange): boolean {
  return !accepted && (status >= 400 || textAt(json, 'id') === undefined)
}

/** Returns the error code of a store refusal; undefined if the trace does not show that the store refuses. */
export function storeCode({ observations }: ExportModel, fault: StoreRefusal): string | undefined {
  return observations.flatMap((each) => (each.type === 'store-refusal' && each.fault === fault ? [each.code] : []))[0]
}

/** Optional fields of the creation of an export. */
const features = ['filter', 'export_fields', 'interval_hours']

/** Requests that the server must accept or refuse, with the requirement that they test. */
export function* requests({
  exchanges,
  exports,
  attempts,
}: ExportModel): Iterable<Subject & { readonly requirement: RequirementId }> {
  const operations = new Set(exchanges.flatMap(({ operation }) => operation ?? []))
  const attempted = new Set([...operations].flatMap(attempts))
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  for (const exchange of exchanges) {
    const { control, fate } = exchange
    const requirement = exchange.requirement === schedule ? scheduleOf(exchange) : exchange.requirement
    // Which of several features the server refused is not known.
    const isMixed = requirement === oneOff && features.some((name) => at(exchange.request, name) !== undefined)
    // A one-off export may have ended before, and any may have been cancelled by an undocumented request.
    const cancelled = exports.get(keyOf(exchange.params['export_id']) ?? '')
    const isChanged = cancelled?.changes.some(({ endedAt }) => endedAt <= exchange.sentAt)
    const mayHaveEnded = cancelled && (!isScheduled(cancelled) || (exchange.status === 409 && isChanged))
    const isLate = exchange.intent === 'documented' && !exchange.accepted && mayHaveEnded
    // The features of a request are not the reason why its response is lost.
    const isAttempt = fate === 'answered' || (attempted.has(exchange) && accepting[requirement ?? ''] === requirement)
    if (requirement !== undefined && isAttempt && !isMixed && !isLate)
      yield { exchange, requirement, setup: [byId.get(control ?? 0)] }
  }
}

/** Returns the requirement about a scheduled export: those with the least and the most hours have one of their own. */
function scheduleOf({ request }: Exchange): RequirementId {
  const hours = at(request, 'interval_hours')
  if (hours === 1) return 'export.limits.hours.least'
  return hours === 168 ? 'export.limits.hours.most' : schedule
}

function requestsOf(model: ExportModel, ...ids: readonly RequirementId[]): readonly Exchange[] {
  const byRequirement = derive(model, requestsByRequirement)
  return ids.flatMap((id) => byRequirement.get(id) ?? []).map(({ exchange }) => exchange)
}

function requestsByRequirement(model: ExportModel) {
  return Map.groupBy(select(model, requests), ({ requirement }) => requirement)
}

/** Whether the server refuses requests that it must accept. It may refuse some because of a limit on exports. */
function isBroken(model: ExportModel, requirement: RequirementId): boolean {
  const sent = requestsOf(model, requirement, ...(requirement === fields ? usable : []))
  const refused = sent.filter(({ accepted }) => !accepted)
  // A cancellation starts no export.
  const isLimit = (exchange: Exchange) => (requirement === cancel ? exchange.status === 503 : isLimitRefusal(exchange))
  if (requirement === fields && refusedTogether(model).length > 0) return true
  return requirement === fields || refused.every(isLimit)
    ? refused.length === sent.length && sent.length > 0 && !isScheduleLimit(model, refused)
    : refused.length > 0
}

/** Whether requests for schedules may be refused because of a limit on active ones: the server accepts others. */
function isScheduleLimit(model: ExportModel, refused: readonly Exchange[]): boolean {
  const schedules = model.of('POST /api/v1/bulk-exports').filter(({ request }) => isScheduleRequest(request))
  const limited = requestsOf(model, schedule).filter((exchange) => !exchange.accepted && isLimitRefusal(exchange))
  const statuses = new Set(limited.map(({ status }) => status))
  const isLimit = (exchange: Exchange) => namesLimit(exchange) || statuses.has(exchange.status)
  return (
    schedules.some(({ accepted, intent }) => accepted && intent !== 'fault') &&
    refused.every((exchange) => isScheduleRequest(exchange.request) && isLimit(exchange))
  )
}

/** Refused requests for several names, without a filter, that the server accepts one by one. */
function refusedTogether(model: ExportModel): readonly Exchange[] {
  const namesOf = ({ request }: Exchange) => [...textsIn(at(request, 'export_fields'))]
  const single = requestsOf(model, ...usable).filter(({ accepted }) => accepted)
  const accepted = new Set(single.flatMap(namesOf))
  return requestsOf(model, fields).filter((each) => {
    const names = namesOf(each)
    const isRefused = !each.accepted && !isLimitRefusal(each) && at(each.request, 'filter') === undefined
    return isRefused && names.length > 1 && names.every((name) => accepted.has(name))
  })
}

/** Returns the requirements about the optional fields of a schedule, each of which the server must accept without the others. */
function featuresOf(requirement: RequirementId, { request }: Exchange): readonly RequirementId[] {
  if (requirement !== scheduleFilter && requirement !== scheduleFields) return []
  return [
    ...(at(request, 'filter') === undefined ? [] : [filter, scheduleFilter]),
    ...(at(request, 'export_fields') === undefined ? [] : [fields]),
  ]
}

const acceptance: Rule<ExportModel> = {
  requirements: Object.keys(accepting) as RequirementId[],
  *cases(model) {
    const hasFilters = requestsOf(model, filter, ...filterCases.map((each) => each.requirement)).some(
      ({ accepted }) => accepted,
    )
    for (const [requirement, need] of Object.entries(accepting) as [RequirementId, RequirementId][]) {
      // The specification does not say how values are quoted: a service may refuse every filter.
      if (!hasFilters && [requirement, need].includes(filter)) continue
      const isOwnBroken = isBroken(model, requirement)
      const together = requirement === fields ? refusedTogether(model) : []
      for (const exchange of requestsOf(model, requirement, ...(requirement === fields ? usable : []))) {
        const subject = { exchange }
        const brokenNeed = [need, ...featuresOf(requirement, exchange)].find(
          (each) => each !== requirement && isBroken(model, each),
        )
        if (exchange.accepted) {
          // What the export contains decides requirements about filters and fields.
          if (need !== filter && requirement !== scheduleFilter && requirement !== scheduleFields)
            yield { requirement, subject }
        } else if (brokenNeed !== undefined) yield { requirement, subject, blockedBy: brokenNeed }
        else if (isOwnBroken && (together.length === 0 || together.includes(exchange))) {
          const isOneOfSome = requestsOf(model, requirement).some(({ accepted }) => accepted)
          yield { requirement, subject, mismatch: unlike(subject, requirement, 'a 2xx response', isOneOfSome) }
        }
      }
    }
  },
}

const refusal: Rule<ExportModel> = {
  requirements: refusing,
  *cases(model) {
    for (const { requirement, ...subject } of select(model, requests)) {
      const store = refusedByStore[requirement]
      if (subject.exchange.intent !== 'fault' || !refusing.includes(requirement)) continue
      if (isRefusal(subject.exchange)) yield { requirement, subject }
      else if (store === undefined || storeCode(model, store) !== undefined)
        yield { requirement, subject, mismatch: unlike(subject, requirement, 'a refusal') }
    }
  },
}

/** `isOneOfSome`: whether the server accepts other requests of the kind. */
const unlike = ({ exchange }: Subject, requirement: RequirementId, expected: string, isOneOfSome = false) => {
  const operation = nameOf(exchange)
  const { accepts, refuses } = entryOf(requirement)
  const text = textAt(exchange.request, 'filter')
  const hours = show(at(exchange.request, 'interval_hours'))
  const names = at(exchange.request, 'export_fields')
  const values: Partial<Record<RequirementId, string | undefined>> = {
    [filter]: text && `the \`filter\` ${text}`,
    [scheduleFilter]: text && `a scheduled export with the \`filter\` ${text}`,
    [scheduleFields]: text && `a scheduled export with \`export_fields\` and the \`filter\` ${text}`,
    [schedule]: isOneOfSome ? `an export with the \`interval_hours\` ${hours} and without \`end_time\`` : undefined,
    ...(requirement.startsWith('export.limits.hours.') && {
      [requirement]: `an export with the \`interval_hours\` ${hours}`,
    }),
  }
  const named = names === undefined ? undefined : `the \`export_fields\` ${show(names)}`
  const described = values[requirement] ?? refuses ?? accepts ?? named
  const request = described?.startsWith(operation) ? described : [operation, described].filter(Boolean).join(' for ')
  const isEmpty = Object.values(exchange.requestHeaders).includes('')
  const sent = isEmpty ? request.replace('without', 'with an empty') : request
  return mismatch(`the response to ${sent}`, expected, statusAndBody(exchange))
}

/** Refused destinations with a documented error. */
const errorTexts = Object.entries(destinationErrors).map(([key, text]) => {
  const [condition, refused] = [key as keyof typeof destinationErrors, `export.errors.${key}.refused` as RequirementId]
  const texts = key === 'access-denied' ? [text, destinationErrors['bucket-missing']] : [text]
  return rule<ExportModel, Subject>(`export.errors.${condition}.text`, {
    each: (model) =>
      select(model, requests).filter(
        ({ requirement, exchange }) => requirement === refused && exchange.intent === 'fault',
      ),
    // Without the code of the store, no service can name the error.
    when: ({ exchange }, model) =>
      isNamed(exchange, texts) ||
      condition.startsWith('endpoint-') ||
      storeCode(model, condition as StoreRefusal) === storeRefusals[condition as StoreRefusal].code,
    evaluate: ({ exchange }) => {
      if (!isRefusal(exchange)) return refused
      const expected = texts.map((each) => show(each)).join(' or ')
      return verifyIncludes(
        isNamed(exchange, texts),
        `the body of the refusal of ${nameOf(exchange)}`,
        expected,
        statusAndBody(exchange),
      )
    },
  })
})

function isNamed(exchange: Exchange, texts: readonly string[]): boolean {
  const content = contentOf(exchange).toLowerCase()
  return texts.some((text) => content.includes(text.toLowerCase()))
}

/** Refused creations of exports. */
function* refusedCreations(model: ExportModel): Iterable<Subject> {
  for (const { exchange, setup } of select(model, requests)) {
    const isCreation = exchange.operation === 'POST /api/v1/bulk-exports' && exchange.user === 'usual'
    if (isCreation && exchange.intent === 'fault' && isRefusal(exchange)) yield { exchange, setup: setup ?? [] }
  }
}

/** Lists after refused creations whose filter is unique; `leaked` if one shows it. */
function* listsAfterRefusals(model: ExportModel) {
  const lists = model.of('GET /api/v1/bulk-exports').filter(({ user }) => user === 'usual')
  const shown = lists.flatMap((exchange) => uuidsIn(filtersIn(exchange)).map((id) => ({ id, exchange })))
  const byId = Map.groupBy(shown, ({ id }) => id)
  const listsWith = (id: string) => (byId.get(id) ?? []).map(({ exchange }) => exchange)
  for (const { exchange: refused, setup = [] } of select(model, refusedCreations)) {
    const [own, others] = [refused, setup[0]].map((each) => uuidsIn(textAt(each?.request, 'filter') ?? '')[0])
    if (own === undefined || others === undefined || own === others) continue
    const leaking = new Set(listsWith(own))
    // Only a list with the filters of accepted exports shows that the refused one is missing.
    for (const exchange of new Set([...leaking, ...listsWith(others)])) {
      if (exchange.sentAt >= refused.endedAt)
        yield { exchange, setup: [...setup, refused], leaked: leaking.has(exchange) }
    }
  }
}

const uuidLength = 36

/** Returns the texts in a list that may be filters: a filter is longer than the id in it. */
function filtersIn({ json, text }: Exchange): string {
  const texts = json === undefined ? [text] : textsIn(json)
  return texts.filter(({ length }) => length > uuidLength).join('\n')
}

/** Lists that show an export to a destination that only refused creations named before. */
function* listsWithRefused(model: ExportModel) {
  const isCreation = ({ operation }: Exchange) => operation === 'POST /api/v1/bulk-exports'
  const refused = new Set(select(model, refusedCreations).map(({ exchange }) => exchange))
  const others = model.exchanges.filter((exchange) => isCreation(exchange) && !refused.has(exchange))
  const used = new Set(others.map(({ request }) => destinationIn(request)))
  const byDestination = Map.groupBy(refused, ({ request }) => destinationIn(request))
  for (const exchange of model.of('GET /api/v1/bulk-exports').filter(({ user }) => user === 'usual')) {
    for (const record of listOf(exchange.json) ?? []) {
      const ids = nestedFields(record).flatMap(({ path, value }) => (/dest/i.test(path) ? (keyOf(value) ?? []) : []))
      const refusals = ids.flatMap((each) => (used.has(each) ? [] : (byDestination.get(each) ?? [])))
      const earlier = refusals.filter(({ endedAt }) => endedAt <= exchange.sentAt)
      const [creation] = earlier.toSorted((a, b) => differences(a, record) - differences(b, record))
      if (creation) yield { exchange, setup: [creation], record }
    }
  }
}

/** The number of values that a record shows otherwise than a creation sent them. */
function differences({ request }: Exchange, record: unknown): number {
  const sent = Object.entries(Object(request))
  return sent.filter(([key, value]) => at(record, key) !== undefined && at(record, key) !== value).length
}

const destinationIn = (request: unknown) => keyOf(at(request, 'bulk_export_destination_id'))

/** Rules about requests that the server accepts or refuses, and what they create. */
export const requestRules: readonly Rule<ExportModel>[] = [
  acceptance,
  refusal,
  ...errorTexts,
  freshIdRule('export.create.fresh-id', responsesTo('POST /api/v1/bulk-exports'), 'id'),
  freshIdRule('export.destination.create.fresh-id', responsesTo('POST /api/v1/bulk-exports/destinations'), 'id'),
  ...rules(refusedCreations, {
    // A busy service may respond before it detects the fault; a request without a valid key is no invalid creation.
    'export.create.refused.client-error': ({ exchange }) =>
      exchange.status !== 503 &&
      !exchange.requirement?.startsWith('export.auth.') &&
      verify(
        Math.floor((exchange.status ?? 0) / 100) === 4,
        `the status of the refusal of ${nameOf(exchange)}`,
        '4xx',
        exchange.status,
      ),
  }),
  ...rules(listsAfterRefusals, {
    'export.create.refused.nothing-created': ({ exchange, leaked }) =>
      leaked
        ? mismatch('the list of exports', 'without the filter of a refused creation', statusAndBody(exchange))
        : undefined,
  }),
  ...rules(listsWithRefused, {
    'export.create.refused.nothing-created': ({ record }) =>
      mismatch('the list of exports', 'without the destination of a refused creation', show(record)),
  }),
]
