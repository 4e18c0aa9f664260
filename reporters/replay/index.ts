import { causes } from '../findings.ts'
import type { Outcome, Report, RequirementResult, Verdict } from '../model/report.ts'
import { renderHar } from './har.ts'
import { replayScript } from './script.ts'

/** Where the replay of a row lies: a script for bash and its exchanges as HAR. */
export interface Replay {
  sh: string
  har: string
}

/** Finds the replay of a row by its id; undefined where it has none. */
export type ReplayOf = (rowId: string) => Replay | undefined

/** A file of a replay, named without its folder. */
export interface ReplayFile {
  name: string
  text: string
}

/** Verdicts of rows that have something to show; what passes is not replayed. */
const replayed: readonly Verdict[] = ['fail', 'flaky', 'error', 'warning', 'expected-fail']

/** Most ways in which a row went wrong that are replayed. */
const replayedAtMost = 3

/** The files of every row that has something to replay: `<row id>.sh` and `<row id>.har`. */
export function replayFiles(report: Report): ReplayFile[] {
  const names = replayNames(report)
  return report.requirements.flatMap((row) => {
    const name = names.get(row.id)
    if (name === undefined) return []
    const outcomes = telling(row)
    return [
      { name: `${name}.sh`, text: replayScript(report, row, outcomes) },
      { name: `${name}.har`, text: renderHar(report, outcomes) },
    ]
  })
}

/**
 * Where the files of a report lie once they are written to `folder`; `/` stands between folder and name, so that it is
 * an address too.
 *
 * @example replaysIn('replay', report)('run.get.named-run') // { sh: 'replay/run.get.named-run.sh', har: … }
 */
export function replaysIn(folder: string, report: Report): ReplayOf {
  const names = replayNames(report)
  return (rowId) => {
    const name = names.get(rowId)
    return name === undefined ? undefined : { sh: `${folder}/${name}.sh`, har: `${folder}/${name}.har` }
  }
}

/** The names of files by row id: the id itself, unless it is a strange one that a file cannot have. */
function replayNames({ requirements }: Report): Map<string, string> {
  const names = new Map<string, string>()
  for (const row of requirements) {
    if (!replayed.includes(row.verdict) || telling(row).length === 0) continue
    const name =
      row.id
        .replace(/[^\w.-]/g, '_')
        .replace(/^\.+/, '')
        .slice(0, 150) || 'row'
    const isTaken = [...names.values()].includes(name)
    names.set(row.id, isTaken ? `${name}-${names.size + 1}` : name)
  }
  return names
}

/** The outcomes to replay: one for each way in which the row went wrong, with the requests that led there. */
function telling(row: RequirementResult): Outcome[] {
  const seen = causes(row).filter(({ outcome }) => (outcome.evidence?.exchanges.length ?? 0) > 0)
  const ways = Map.groupBy(seen, ({ outcome }) => outcome.failure?.message)
  return [...ways.values()].flatMap(([first]) => (first === undefined ? [] : [first.outcome])).slice(0, replayedAtMost)
}
