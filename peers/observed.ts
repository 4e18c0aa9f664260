import type { Outcome, Report, ReportRow } from '../reporters/model.ts'

/** What a server was observed to do on the open points: one text, or one an endpoint where they differ. */
export interface Observed {
  /** Package and version. */
  readonly server: string
  /** `YYYY-MM-DD`. */
  readonly recorded: string
  /** By row id, in the register's order. */
  readonly observed: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Takes the observations out of a report; ids and times, which are others in every run, stand as `<uuid>` and `<time>`. */
export function observed(server: string, report: Report): Observed {
  const open = report.requirements.filter(({ verdict }) => verdict === 'observed')
  const entries = open.map((row) => [row.id, texts(row)] as const)
  return { server, recorded: report.startedAt.slice(0, 10), observed: Object.fromEntries(entries) }
}

function texts({ outcomes }: ReportRow): string | Record<string, string> {
  const told = outcomes.filter(isTold).map(({ endpoint, observation }) => [endpoint, settle(observation)] as const)
  const [first] = told
  if (first !== undefined && told.every(([, text]) => text === first[1])) return first[1]
  return Object.fromEntries(told)
}

function isTold(outcome: Outcome): outcome is Outcome & { observation: string } {
  return outcome.observation !== undefined
}

function settle(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, '<uuid>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)/g, '<time>')
}
