import type { Level } from '../../reporters/model/report.ts'

/**
 * Kind of endpoint a requirement applies to. Deployment API: `open` (without custom authentication) or `custom-auth`.
 * Bulk export API: `hosted` or `self-hosted`.
 */
export type Profile = 'open' | 'custom-auth' | 'hosted' | 'self-hosted'

/** Part of the specification: the deployment API or the bulk export API. */
export type Area = 'deployment' | 'export'

/**
 * Returns the area that endpoints of a profile belong to.
 *
 * @example
 * areaOf('self-hosted') // 'export'
 */
export function areaOf(profile: Profile): Area {
  return profile === 'hosted' || profile === 'self-hosted' ? 'export' : 'deployment'
}

/** One testable sentence of the specification, in our own words. */
export interface Requirement {
  /** Dotted name such as `run.join.waits`. An id never changes its meaning and is never reused. */
  readonly id: string
  readonly area: Area
  /** Heading of the specification that the requirement comes from, with parent headings separated by ` / `. */
  readonly section: string
  readonly level: Level
  /** The requirement in one sentence, as Markdown. */
  readonly statement: string
  /** How the checks interpret a sentence that is ambiguous in the specification. */
  readonly interpretation?: string
  /** The only profile that the requirement applies to; every profile of its area when absent. */
  readonly profile?: Profile
  /** Why no check can test the requirement from outside the server. */
  readonly excluded?: string
  /** Request that the server must accept, as failures name it. */
  readonly accepts?: string
  /** Request that the server must refuse, as failures name it. */
  readonly refuses?: string
}

type Entry = Omit<Requirement, 'area' | 'section'>
type Options = Pick<Requirement, 'interpretation' | 'profile' | 'excluded' | 'accepts' | 'refuses'>

/**
 * Declares a fact or rule that the specification states. A server that breaks it fails.
 *
 * @example
 * must('run.join.waits', 'GET /threads/{thread_id}/runs/{run_id}/join responds only after the run has finished.')
 */
export function must(id: string, statement: string, options: Options = {}): Entry {
  return { id, level: 'MUST', statement, ...options }
}

/**
 * Declares that the service accepts a request.
 *
 * @example
 * accepts('export.filter.accepted', 'an export with a `filter`')
 */
export function accepts(id: string, request: string, options: Options = {}): Entry {
  return must(id, `The service accepts ${request}.`, { accepts: request, ...options })
}

/**
 * Declares that the service refuses a request.
 *
 * @example
 * refuses('export.destination.config.required', 'a destination without `config`')
 */
export function refuses(id: string, request: string, options: Options = {}): Entry {
  return must(id, `The service refuses ${request}.`, { refuses: request, ...options })
}

/**
 * Declares the lenient form of a stated fact. A server that breaks it gets a warning.
 *
 * @example
 * should('stream.updates.progressive', 'The first `updates` event arrives before the last node runs.', {
 *   interpretation: 'The specification sets no deadline for events.',
 * })
 */
export function should(id: string, statement: string, options: Options = {}): Entry {
  return { id, level: 'SHOULD', statement, ...options }
}

/**
 * Declares a fact that the specification introduces with "for example", "seen" or "can".
 *
 * @example
 * may('assistant.config.no-configurable', 'The `config` of an assistant contains no `configurable`.')
 */
export function may(id: string, statement: string, options: Options = {}): Entry {
  return { id, level: 'MAY', statement, ...options }
}

/**
 * Declares behavior that the specification leaves open. Touchstone records what the server does and gives no verdict.
 *
 * @example
 * unspecified('thread.create.status-code', 'Which 2xx status POST /threads returns.')
 */
export function unspecified(id: string, statement: string, options: Options = {}): Entry {
  return { id, level: 'UNSPECIFIED', statement, ...options }
}

/**
 * Declares several requirements with the same options: their statements by their ids.
 *
 * @example
 * each(unspecified, {
 *   'thread.list.shape': 'What GET /threads returns.',
 *   'thread.list.filters': 'Which filters GET /threads accepts.',
 * })
 */
export function each(
  declare: typeof must,
  statements: Readonly<Record<string, string>>,
  options: Options = {},
): readonly Entry[] {
  return Object.entries(statements).map(([id, statement]) => declare(id, statement, options))
}

/**
 * Returns the requirements of one section of the specification. `common` applies to each of them unless it sets the
 * option itself.
 *
 * @example
 * section('deployment', 'Endpoints / A. Deployment API / GET /threads', [
 *   unspecified('thread.list.shape', 'What GET /threads returns.'),
 * ])
 */
export function section(
  area: Area,
  name: string,
  entries: readonly Entry[],
  common: Options = {},
): readonly Requirement[] {
  return entries.map((entry) => ({ area, section: name, ...common, ...entry }))
}
