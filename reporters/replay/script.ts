import { because } from '../findings.ts'
import type { Exchange, Outcome, Report, RequirementResult } from '../model/report.ts'
import { type Part, quote, word } from '../model/shell.ts'
import { clip, oneLine, visible } from '../model/text.ts'
import { bodyParts, needsBucket, type Places, placesOf, type Setting, settingsOf } from './body.ts'
import { caveats } from './caveats.ts'
import { type TakenId, withIds } from './ids.ts'
import { type Base, baseOf, headerArguments, variablesOf } from './request.ts'
import { scriptFunctions } from './script-functions.ts'
import { type Step, stepsOf } from './steps.ts'

/** Longest text of a comment or of an expectation, in characters. */
const textLimit = 2000

/**
 * A bash script that sends the requests of a failure again, in their order, and prints every answer; it judges nothing.
 * What the server makes up, such as ids, is read from its answers; secrets are environment variables.
 */
export function replayScript(report: Report, row: RequirementResult, outcomes: readonly Outcome[]): string {
  const taken = new Set<string>()
  const parts = outcomes.map((outcome) => ({ outcome, ...stepsOf(outcome, taken) }))
  const exchanges = parts.flatMap(({ steps }) => steps.map(({ exchange }) => exchange))
  const places = placesOf(exchanges)
  const settings = settingsIn(exchanges, places)
  const bases = new Map<string, Base>()
  for (const { outcome, steps } of parts) {
    for (const { exchange } of steps) {
      const base = baseOf(report, outcome.endpoint, exchange.url)
      if (!bases.has(base.variable)) bases.set(base.variable, base)
    }
  }
  let sent = 0
  const sections = parts.flatMap(({ outcome, steps, ids }) => {
    const lines = section(outcome, steps, ids, places, sent, (url) => splitUrl(bases, report, outcome, url))
    sent += steps.length
    return ['', ...lines]
  })
  return [
    '#!/usr/bin/env bash',
    ...comment(report, row, caveats(parts, places), settings),
    'set -uo pipefail',
    ...settings.needed.map(({ variable, what }) => `: "\${${variable}:?set it to ${what}}"`),
    ...[...bases.values()].map(({ variable, url }) => `${variable}=\${${variable}:-${quote(url)}}`),
    '',
    scriptFunctions.trim(),
    ...(settings.ofBucket.length === 0
      ? []
      : [`bucket_from ${settings.ofBucket.map(({ variable }) => variable).join(' ')}`]),
    ...sections,
    '',
  ].join('\n')
}

/** What the environment gives a script. */
interface Settings {
  needed: readonly Setting[]
  /** Without which no destination is registered. */
  ofBucket: readonly Setting[]
}

function settingsIn(exchanges: readonly Exchange[], places: Places): Settings {
  const of = (some: readonly Exchange[]) => some.flatMap((exchange) => settingsOf(exchange, places))
  const once = (all: readonly Setting[]) => [...new Map(all.map((one) => [one.variable, one])).values()]
  const headers = [...variablesOf(exchanges)].map(([variable, header]) => ({ variable, what: `the header ${header}` }))
  return {
    needed: once([...headers, ...of(exchanges.filter((exchange) => !needsBucket(exchange, places)))]),
    ofBucket: once(of(exchanges.filter((exchange) => needsBucket(exchange, places)))),
  }
}

function comment(
  report: Report,
  row: RequirementResult,
  notes: readonly string[],
  { needed, ofBucket }: Settings,
): string[] {
  const lines = (settings: readonly Setting[]) => settings.map(({ variable, what }) => `  ${variable}: ${what}`)
  return [
    `Replays what led to the verdict ${row.verdict} on ${row.id} (${row.level}).`,
    `requirement: ${row.statement}`,
    `cause: ${because(row)}`,
    `recorded: ${report.startedAt}, ${report.target.name}, touchstone ${report.suite.version}`,
    '',
    'Needs bash, curl, grep and sed. Prints every answer, judges nothing. Reads that were repeated until something',
    'changed are repeated here too, up to 20 seconds; otherwise each request is sent as soon as the one before allows.',
    'Another server: set the variable of its address, below.',
    ...(needed.length === 0 ? [] : ['Secrets, as environment variables:']),
    ...lines(needed),
    ...(ofBucket.length === 0
      ? []
      : [
          'The bucket of the recorded run is gone. With the following settings, for a bucket of yours that the server reaches,',
          'destinations are registered there. Without them none is registered: what uses one names the recorded one, which',
          'only a server knows that has kept it, and whose bucket takes no file any more. Schedules that are created go on',
          'until you cancel them.',
        ]),
    ...lines(ofBucket),
    ...(notes.length === 0 ? [] : ['Not replayed as it was:']),
    ...notes.map((note) => `  ${note}`),
  ].map((line) => `# ${line === '' || line.startsWith('  ') ? line.trimEnd() : oneLine(line, textLimit)}`.trimEnd())
}

type Split = (url: string) => { base: Part; rest: string }

function splitUrl(bases: ReadonlyMap<string, Base>, report: Report, outcome: Outcome, url: string): ReturnType<Split> {
  const base = baseOf(report, outcome.endpoint, url)
  const known = bases.get(base.variable)?.url
  if (known === undefined || !url.startsWith(known))
    return { base: { text: base.url }, rest: url.slice(base.url.length) }
  return { base: { variable: base.variable }, rest: url.slice(known.length) }
}

function section(
  outcome: Outcome,
  steps: readonly Step[],
  ids: readonly TakenId[],
  places: Places,
  before: number,
  split: Split,
): string[] {
  const number = (index: number) => before + index + 1
  const show = (index: number) => {
    const step = steps[index]
    return step === undefined ? [] : [`show ${number(index)} ${quote(title(step.exchange, ids, split))}`]
  }
  const wait = (index: number) => `wait "\${sent[${number(index)}]}"`
  const inBucket = (index: number) => {
    const step = steps[index]
    return step !== undefined && needsBucket(step.exchange, places)
  }
  const running = new Set<number>()
  let answered: number[] = []
  // Answers are shown in the order of their requests.
  const showAnswered = () => {
    const shown = answered.toSorted((a, b) => a - b).flatMap(show)
    answered = []
    return shown
  }
  const lines = steps.flatMap((step, index) => {
    const takes = step.takes.map(({ variable, from, key, nth, value }) => {
      const taken = `take ${variable} ${number(from)} ${key} ${nth}`
      return inBucket(from) ? `if [ -n "$bucket" ]; then ${taken}; else ${variable}=${quote(value)}; fi` : taken
    })
    const sends = `${call(step, number(index), number)} ${argumentsOf(step.exchange, ids, places, split)}`
    const command = inBucket(index) ? `with_bucket ${number(index)} && ${sends}` : sends
    for (const one of step.awaits) running.delete(one)
    answered.push(...step.awaits)
    const before = [...step.awaits.map(wait), ...(step.awaits.length > 0 ? showAnswered() : []), ...takes]
    if (step.overlaps) {
      running.add(index)
      return [...before, `{ ${command}; } & sent[${number(index)}]=$!`]
    }
    answered.push(index)
    return [...before, command, ...(running.size === 0 ? showAnswered() : [])]
  })
  const last = [...running].map(wait)
  answered.push(...running)
  const { failure } = outcome
  return [
    `section ${quote(oneLine(`${outcome.endpoint}: ${outcome.check}`, 300))}`,
    ...lines,
    ...last,
    ...showAnswered(),
    ...(failure?.expected === undefined ? [] : [`told ${quote('expected')} ${quote(text(failure.expected))}`]),
    ...(failure === undefined
      ? []
      : [`told ${quote('received when it was recorded')} ${quote(text(failure.received ?? failure.message))}`]),
  ]
}

function call({ waitFor }: Step, own: number, number: (index: number) => number): string {
  if (waitFor === undefined) return `send ${own}`
  if ('endOf' in waitFor) return `until_ended ${own} ${waitFor.endOf}`
  return `until_changed ${own} ${number(waitFor.changedSince)}`
}

function argumentsOf(exchange: Exchange, ids: readonly TakenId[], places: Places, split: Split): string {
  const { base, rest } = split(exchange.url)
  const { requestBody } = exchange
  return [
    `-X ${/^[A-Z]+$/.test(exchange.method) ? exchange.method : quote(exchange.method)}`,
    word([base, ...withIds(rest, ids, false)]),
    ...headerArguments(exchange),
    ...(requestBody === undefined ? [] : [`--data-raw ${word(bodyParts(exchange, ids, places))}`]),
  ].join(' ')
}

/** Names a step with the status that was recorded. */
function title(exchange: Exchange, ids: readonly TakenId[], split: Split): string {
  const path = withIds(split(exchange.url).rest, ids, false)
  const shown = path.map((part) => ('variable' in part ? `{${part.variable}}` : part.text)).join('')
  const recorded = exchange.status ?? exchange.error ?? 'no answer'
  return oneLine(`${exchange.method} ${shown} (recorded: ${recorded})`, 300)
}

function text(value: string): string {
  return visible(clip(value, textLimit))
}
