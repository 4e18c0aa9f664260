import { Command } from 'commander'
import type { ClientRequirement } from '../mock-server/client/requirement.ts'
import { clientRequirements } from '../mock-server/client/requirements.ts'
import { plural } from '../reporters/model/text.ts'
import { renderStrength } from '../reporters/strength.ts'
import { catalog } from '../suites/catalog/catalog.ts'
import {
  type CoveredSection,
  type CoveredStatement,
  decides,
  specification,
} from '../suites/catalog/coverage/coverage.ts'
import { defectsOf } from '../suites/catalog/defects.ts'
import { slugOf, titleOf } from '../suites/catalog/markdown.ts'
import type { Profile, Requirement } from '../suites/catalog/requirement.ts'
import { strengthOf } from '../suites/catalog/strength.ts'
import { scenarios, thoroughScenarios } from '../suites/scenarios/index.ts'
import { didYouMean } from '../suites/values/nearest.ts'
import { UsageError } from '../suites/values/usage-error.ts'
import { orUsageError } from './usage.ts'

const help = `
For the id of a requirement, prints what it requires, how an ambiguous sentence is read, the statements of the specification
that it tests, the scenarios that exercise it, defects with which a server fails it, and what it needs. For a section or a
request of the specification, prints the statements with the requirements that test them, or the reason why no test can. For a
requirement of clients, prints how it is decided.

Sections: ${specification.map(({ section }) => titleOf(section)).join(', ')}.

Examples:
  $ touchstone explain run.join.waits
  $ touchstone explain Run status
  $ touchstone explain 'POST /threads/{thread_id}/runs'
  $ touchstone explain client.run.stream_mode
`

/** The command `touchstone explain`. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('explain a requirement, or a section of the specification')
    .argument('<name...>', 'id of a requirement, section, or request such as "POST /threads"')
    .addHelpText('after', help)
    .action((words: string[], _, command: Command) => orUsageError(command, async () => run(words.join(' '))))
}

function run(name: string): void {
  process.stdout.write(textAbout(name))
}

function textAbout(name: string): string {
  const requirement = catalog.find(({ id }) => id === name)
  if (requirement !== undefined) return requirementText(requirement)
  const ofClients = clientRequirements.find(({ id }) => id === name)
  if (ofClients !== undefined) return clientRequirementText(ofClients)
  return sectionsNamed(name).map(sectionText).join('\n')
}

function clientRequirementText({ id, level, statement, section, decided }: ClientRequirement): string {
  return `${level} ${id}\n${statement}\n\nSection:\n  ${section}\nDecided by:\n  ${decided}\n`
}

/** Sections with a heading, or sections limited to a request. */
function sectionsNamed(name: string): readonly CoveredSection[] {
  const wanted = name.toLowerCase()
  const named = specification.filter(({ section }) => names(section).some((text) => text.toLowerCase() === wanted))
  if (named.length > 0) return named
  const limited = specification
    .map(({ section, statements }) => ({
      section,
      statements: statements.filter(({ position }) => requestOf(position)?.toLowerCase() === wanted),
    }))
    .filter(({ statements }) => statements.length > 0)
  if (limited.length > 0) return limited
  throw new UsageError(
    `expected the id of a requirement, or a section or request of the specification, received "${name}".${didYouMean(name, known())} "touchstone explain --help" lists the sections, "touchstone list" the ids.`,
  )
}

function names(section: string): readonly string[] {
  return [section, titleOf(section), slugOf(section)]
}

/** The request that a position is about: `POST /threads` of `POST /threads, response`. */
function requestOf(position: string): string | undefined {
  return /^[A-Z]+ \/[^ ,]*/.exec(position)?.[0]
}

function known(): readonly string[] {
  const requests = specification.flatMap(({ statements }) =>
    statements.flatMap(({ position }) => requestOf(position) ?? []),
  )
  const ids = [...catalog, ...clientRequirements].map(({ id }) => id)
  return [...ids, ...specification.map(({ section }) => titleOf(section)), ...requests]
}

function sectionText({ section, statements }: CoveredSection): string {
  const undecidable = statements.filter((statement) => statement.undecidable !== undefined).length
  const counts = `${plural(statements.length, 'statement')}, ${statements.length - undecidable} tested, ${undecidable} not testable`
  return `${section}: ${counts}\n\n${statements.map(statementText).join('')}`
}

function statementText({ position, words, requirements, undecidable }: CoveredStatement): string {
  const reason = undecidable === undefined ? '' : `  Not testable: ${undecidable}\n`
  const ids = requirements.map((requirement) => `    ${requirement.id}${noteOf(requirement)}\n`)
  return `${position}\n  ${words}\n${reason}${ids.join('')}`
}

function noteOf(requirement: Requirement): string {
  if (decides(requirement)) return ''
  return requirement.excluded === undefined ? ' (observed)' : ' (not testable)'
}

function requirementText(requirement: Requirement): string {
  const { id, level, statement, interpretation, excluded, section } = requirement
  const decided = specification.flatMap(({ section: heading, statements }) =>
    statements
      .filter(({ requirements }) => requirements.includes(requirement))
      .map(({ position, words }) => `${heading}: ${position}\n    ${words}`),
  )
  const facts = [
    ['Section', [section]],
    ['Interpretation', interpretation === undefined ? [] : [interpretation]],
    ['Not testable', excluded === undefined ? [] : [excluded]],
    [decides(requirement) ? 'Tests' : 'Belongs to', decided],
    ['Exercised by', exercising(id)],
    ['Fails, for example, if', defectsOf(id)],
    ['Needs', excluded === undefined ? needs(requirement) : []],
    ['Strength', decides(requirement) ? [renderStrength(strengthOf(id))] : []],
  ] as const
  const lines = facts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}:\n  ${values.join('\n  ')}`)
  return `${level} ${id}\n${statement}\n\n${lines.join('\n')}\n`
}

/** Titles of the scenarios that exercise a requirement. */
function exercising(id: string): readonly string[] {
  return [...titles(scenarios, id), ...titles(thoroughScenarios, id).map((title) => `${title} (only with --thorough)`)]
}

function titles(all: typeof scenarios, id: string): readonly string[] {
  return all.filter(({ exercises }) => exercises.some((exercised) => exercised === id)).map(({ title }) => title)
}

const profiles: Readonly<Record<Profile, string>> = {
  open: ' without custom authentication',
  'custom-auth': ' with custom authentication, by the handler of the test graphs',
  hosted: ' of a hosted service',
  'self-hosted': ' of a self-hosted installation',
}

/** What a run needs to test a requirement. */
function needs({ area, profile }: Requirement): readonly string[] {
  const suffix = profile === undefined ? '' : profiles[profile]
  return area === 'deployment'
    ? [`an endpoint of the deployment API${suffix}`]
    : [`an endpoint of the bulk export API${suffix}`, 'a bucket']
}
