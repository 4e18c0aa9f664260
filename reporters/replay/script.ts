import { because } from '../findings.ts'
import type { Exchange, Outcome, Report, ReportRow } from '../model.ts'
import { clip, oneLine, visible } from '../text.ts'
import { caveats } from './caveats.ts'
import { type TakenId, withIds } from './ids.ts'
import { type Base, baseOf, headerArguments, variablesOf } from './request.ts'
import { scriptFunctions } from './script-functions.ts'
import { type Part, quote, word } from './shell.ts'
import { type Step, stepsOf } from './steps.ts'

/** Longest text of a comment or of an expectation, in characters. */
const textLimit = 2000

/**
 * A bash script that sends the requests of a failure again, in their order, and prints every answer; it judges nothing.
 * What the server makes up, such as ids, is read from its answers; secrets are environment variables.
 */
export function replayScript(report: Report, row: ReportRow, outcomes: readonly Outcome[]): string {
  const taken = new Set<string>()
  const parts = outcomes.map((outcome) => ({ outcome, ...stepsOf(outcome, taken) }))
  const exchanges = parts.flatMap(({ steps }) => steps.map(({ exchange }) => exchange))
  const bases = new Map<string, Base>()
  for (const { outcome, steps } of parts) {
    for (const { exchange } of steps) {
      const base = baseOf(report, outcome.endpoint, exchange.url)
      if (!bases.has(base.variable)) bases.set(base.variable, base)
    }
  }
  let sent = 0
  const sections = parts.flatMap(({ outcome, steps, ids }) => {
    const lines = section(outcome, steps, ids, sent, (url) => splitUrl(bases, report, outcome, url))
    sent += steps.length
    return ['', ...lines]
  })
  return [
    '#!/usr/bin/env bash',
    ...comment(report, row, caveats(parts), exchanges),
    'set -uo pipefail',
    ...[...variablesOf(exchanges)].map(([variable, header]) => `: "\${${variable}:?set it to the header ${header}}"`),
    ...[...bases.values()].map(({ variable, url }) => `${variable}=\${${variable}:-${quote(url)}}`),
    '',
    scriptFunctions.trim(),
    ...sections,
    '',
  ].join('\n')
}

function comment(report: Report, row: ReportRow, notes: readonly string[], exchanges: readonly Exchange[]): string[] {
  const variables = [...variablesOf(exchanges)]
  return [
    `Replays what led to the verdict ${row.verdict} on ${row.id} (${row.level}).`,
    `requirement: ${row.statement}`,
    `cause: ${because(row)}`,
    `recorded: ${report.startedAt}, ${report.target.name}, touchstone ${report.suite.version}`,
    '',
    'Needs bash, curl, grep and sed. Prints every answer, judges nothing. Reads that were repeated until something',
    'changed are repeated here too, up to 20 seconds; otherwise each request is sent as soon as the one before allows.',
    'Another server: set the variable of its address, below.',
    ...(variables.length === 0 ? [] : ['Secrets, as environment variables:']),
    ...variables.map(([variable, header]) => `  ${variable}: the header ${header}`),
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
  before: number,
  split: Split,
): string[] {
  const number = (index: number) => before + index + 1
  const show = (index: number) => {
    const step = steps[index]
    return step === undefined ? [] : [`show ${number(index)} ${quote(title(step.exchange, ids, split))}`]
  }
  const wait = (index: number) => `wait "\${sent[${number(index)}]}"`
  const running = new Set<number>()
  let answered: number[] = []
  // Answers are shown in the order of their requests.
  const showAnswered = () => {
    const shown = answered.toSorted((a, b) => a - b).flatMap(show)
    answered = []
    return shown
  }
  const lines = steps.flatMap((step, index) => {
    const takes = step.takes.map(({ variable, from, key, nth }) => `take ${variable} ${number(from)} ${key} ${nth}`)
    const command = `${call(step, number(index), number)} ${argumentsOf(step.exchange, ids, split)}`
    for (const one of step.awaits) running.delete(one)
    answered.push(...step.awaits)
    const before = [...step.awaits.map(wait), ...(step.awaits.length > 0 ? showAnswered() : []), ...takes]
    if (step.overlaps) {
      running.add(index)
      return [...before, `${command} & sent[${number(index)}]=$!`]
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

function argumentsOf(exchange: Exchange, ids: readonly TakenId[], split: Split): string {
  const { base, rest } = split(exchange.url)
  const { requestBody } = exchange
  return [
    `-X ${/^[A-Z]+$/.test(exchange.method) ? exchange.method : quote(exchange.method)}`,
    word([base, ...withIds(rest, ids, false)]),
    ...headerArguments(exchange),
    ...(requestBody === undefined ? [] : [`--data-raw ${word(withIds(requestBody, ids, true))}`]),
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
