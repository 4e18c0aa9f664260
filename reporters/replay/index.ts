import { causes } from '../causes.ts'
import type { Outcome, Report, RequirementResult, Verdict } from '../model/report.ts'
import { renderHar } from './har.ts'
import { replayScript, type ScriptParts } from './script.ts'

/** The replay files of a requirement: a bash script, and its exchanges as HAR. */
export interface Replay {
  sh: string
  har: string
}

/** Returns the replay files of a requirement, or undefined if it has none. */
export type FindReplay = (requirementId: string) => Replay | undefined

/** A replay file; `name` has no folder. */
export interface ReplayFile {
  name: string
  text: string
}

/** Verdicts of requirements that get replay files. */
const replayed: readonly Verdict[] = ['fail', 'flaky', 'error', 'warning', 'expected-fail']

/** Maximum number of causes of a verdict that are replayed. */
const maxReplayed = 3

/** Renders the replay files of a report: `<requirement id>.sh` and `<requirement id>.har`. */
export function replayFiles(report: Report): ReplayFile[] {
  const names = replayNames(report)
  return report.requirements.flatMap((requirement) => {
    const name = names.get(requirement.id)
    const parts = replayParts(report, requirement)
    if (name === undefined || parts === undefined) return []
    return [
      { name: `${name}.sh`, text: `${parts.before}${parts.functions}${parts.after}` },
      { name: `${name}.har`, text: renderHar(report, outcomesToReplay(requirement)) },
    ]
  })
}

/** Renders the script of a requirement; undefined if it has nothing to replay. */
export function replayParts(report: Report, requirement: RequirementResult): ScriptParts | undefined {
  const outcomes = isReplayed(requirement) ? outcomesToReplay(requirement) : []
  return outcomes.length === 0 ? undefined : replayScript(report, requirement, outcomes)
}

function isReplayed({ verdict, area }: RequirementResult): boolean {
  // The requests of a client show what it does, so that sending them again tests nothing.
  return area !== 'client' && replayed.includes(verdict)
}

/**
 * Returns a function that finds the replay files in `folder`. Paths use `/`, so that they can be links.
 *
 * @example replaysIn('replay', report)('run.get.named-run') // { sh: 'replay/run.get.named-run.sh', har: … }
 */
export function replaysIn(folder: string, report: Report): FindReplay {
  const names = replayNames(report)
  return (id) => {
    const name = names.get(id)
    return name === undefined ? undefined : { sh: `${folder}/${name}.sh`, har: `${folder}/${name}.har` }
  }
}

/** File names by requirement id: the id itself, without characters that a file name cannot have. */
function replayNames({ requirements }: Report): Map<string, string> {
  const names = new Map<string, string>()
  for (const requirement of requirements) {
    if (!isReplayed(requirement) || outcomesToReplay(requirement).length === 0) continue
    const safe = requirement.id
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(0, 150)
    const name = safe || 'requirement'
    const isTaken = [...names.values()].includes(name)
    names.set(requirement.id, isTaken ? `${name}-${names.size + 1}` : name)
  }
  return names
}

/** The first outcome with exchanges for each failure message. */
function outcomesToReplay(requirement: RequirementResult): Outcome[] {
  const recorded = causes(requirement).filter(({ outcome }) => (outcome.evidence?.exchanges.length ?? 0) > 0)
  const byMessage = Map.groupBy(recorded, ({ outcome }) => outcome.failure?.message)
  return [...byMessage.values()]
    .flatMap(([first]) => (first === undefined ? [] : [first.outcome]))
    .slice(0, maxReplayed)
}
