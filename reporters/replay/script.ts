import { explain } from '../findings.ts'
import type { Exchange, Outcome, Report, RequirementResult } from '../model/report.ts'
import { type Part, quote, word } from '../model/shell.ts'
import { clip, oneLine, visible } from '../model/text.ts'
import { type BucketSettings, bodyParts, bodySettings, bucketSettings, needsBucket, type Setting } from './body.ts'
import { caveats } from './caveats.ts'
import { type CarriedId, replaceIds } from './ids.ts'
import { type Base, baseOf, headerArguments, headerVariables } from './request.ts'
import { scriptFunctions } from './script-functions.ts'
import { type Step, stepsOf } from './steps.ts'

/** Maximum length of a comment or an expected value, in characters. */
const textLimit = 2000

/** A script as three consecutive texts. The functions are the same in every script. */
export interface ScriptParts {
  before: string
  functions: string
  after: string
}

/**
 * Renders a bash script that sends the requests of a failure again in the recorded order and prints every response.
 *
 * The script does not evaluate the responses. It reads ids that the server creates from the responses, and secrets from
 * environment variables.
 */
export function replayScript(
  report: Report,
  requirement: RequirementResult,
  outcomes: readonly Outcome[],
): ScriptParts {
  const usedVariables = new Set<string>()
  const parts = outcomes.map((outcome) => ({ outcome, ...stepsOf(outcome, usedVariables) }))
  const exchanges = parts.flatMap(({ steps }) => steps.map(({ exchange }) => exchange))
  const bucket = bucketSettings(exchanges)
  const settings = settingsOf(exchanges, bucket)
  const bases = new Map<string, Base>()
  for (const { outcome, steps } of parts) {
    for (const { exchange } of steps) {
      const base = baseOf(report, outcome.endpoint, exchange.url)
      if (!bases.has(base.variable)) bases.set(base.variable, base)
    }
  }
  let sent = 0
  const sections = parts.flatMap(({ outcome, steps, ids }) => {
    const lines = section(outcome, steps, ids, bucket, sent, (url) => splitUrl(bases, report, outcome, url))
    sent += steps.length
    return ['', ...lines]
  })
  const before = [
    '#!/usr/bin/env bash',
    ...header(report, requirement, caveats(parts, bucket), settings),
    'set -uo pipefail',
    ...settings.required.map(({ variable, description }) => `: "\${${variable}:?set it to ${description}}"`),
    ...[...bases.values()].map(({ variable, url }) => `${variable}=\${${variable}:-${quote(url)}}`),
  ]
  const after = [
    ...(settings.bucket.length === 0
      ? []
      : [`bucket_from ${settings.bucket.map(({ variable }) => variable).join(' ')}`]),
    ...sections,
  ]
  return {
    before: `${before.join('\n')}\n\n`,
    functions: `${scriptFunctions.trim()}\n`,
    after: `${after.join('\n')}\n`,
  }
}

/** The environment variables of a script. */
interface Settings {
  required: readonly Setting[]
  /** Required to create destinations; optional otherwise. */
  bucket: readonly Setting[]
}

function settingsOf(exchanges: readonly Exchange[], bucket: BucketSettings): Settings {
  const inBodies = (selected: readonly Exchange[]) => selected.flatMap((exchange) => bodySettings(exchange, bucket))
  const unique = (all: readonly Setting[]) => [...new Map(all.map((setting) => [setting.variable, setting])).values()]
  const headers = [...headerVariables(exchanges)].map(([variable, name]) => ({
    variable,
    description: `the header ${name}`,
  }))
  return {
    required: unique([...headers, ...inBodies(exchanges.filter((exchange) => !needsBucket(exchange, bucket)))]),
    bucket: unique(inBodies(exchanges.filter((exchange) => needsBucket(exchange, bucket)))),
  }
}

/** The comment at the top of a script. */
function header(
  report: Report,
  requirement: RequirementResult,
  notes: readonly string[],
  { required, bucket }: Settings,
): string[] {
  const { id, level, verdict, statement } = requirement
  const list = (settings: readonly Setting[]) =>
    settings.map(({ variable, description }) => `  ${variable}: ${description}`)
  return [
    `Replays the requests behind the verdict ${verdict} of ${id} (${level}).`,
    `requirement: ${statement}`,
    `cause: ${explain(requirement)}`,
    `recorded: ${report.startedAt}, ${report.target.name}, touchstone ${report.suite.version}`,
    '',
    ...(required.length === 0 ? [] : ['Secrets, as environment variables:']),
    ...list(required),
    ...(bucket.length === 0
      ? []
      : [
          'The bucket of the recorded run no longer exists. To create destinations, set the following variables to a bucket',
          'that the server can reach. Without them, no destination is created, and requests that use a destination name the',
          'recorded one. Schedules that the script creates run until you cancel them.',
        ]),
    ...list(bucket),
    ...(notes.length === 0 ? [] : ['Differences from the recorded run:']),
    ...notes.map((note) => `  ${note}`),
  ].map((line) => `# ${line === '' || line.startsWith('  ') ? line.trimEnd() : oneLine(line, textLimit)}`.trimEnd())
}

type SplitUrl = (url: string) => { base: Part; rest: string }

function splitUrl(
  bases: ReadonlyMap<string, Base>,
  report: Report,
  outcome: Outcome,
  url: string,
): ReturnType<SplitUrl> {
  const base = baseOf(report, outcome.endpoint, url)
  const known = bases.get(base.variable)?.url
  if (known === undefined || !url.startsWith(known))
    return { base: { text: base.url }, rest: url.slice(base.url.length) }
  return { base: { variable: base.variable }, rest: url.slice(known.length) }
}

/** The lines for one outcome; `before` is the number of requests in earlier sections. */
function section(
  outcome: Outcome,
  steps: readonly Step[],
  ids: readonly CarriedId[],
  bucket: BucketSettings,
  before: number,
  split: SplitUrl,
): string[] {
  const number = (index: number) => before + index + 1
  const show = (index: number) => {
    const step = steps[index]
    return step === undefined ? [] : [`show ${number(index)} ${quote(title(step.exchange, ids, split))}`]
  }
  const wait = (index: number) => `wait "\${sent[${number(index)}]}"`
  const usesBucket = (index: number) => {
    const step = steps[index]
    return step !== undefined && needsBucket(step.exchange, bucket)
  }
  const running = new Set<number>()
  let finished: number[] = []
  // Responses are shown in the order of their requests.
  const showFinished = () => {
    const lines = finished.toSorted((a, b) => a - b).flatMap(show)
    finished = []
    return lines
  }
  const lines = steps.flatMap((step, index) => {
    const takes = step.takes.map(({ variable, from, key, nth, value }) => {
      const take = `take ${variable} ${number(from)} ${key} ${nth}`
      return usesBucket(from) ? `if [ -n "$bucket" ]; then ${take}; else ${variable}=${quote(value)}; fi` : take
    })
    const send = `${sendFunction(step, number(index), number)} ${curlArguments(step.exchange, ids, bucket, split)}`
    const command = usesBucket(index) ? `with_bucket ${number(index)} && ${send}` : send
    for (const awaited of step.awaits) running.delete(awaited)
    finished.push(...step.awaits)
    const preparation = [...step.awaits.map(wait), ...(step.awaits.length > 0 ? showFinished() : []), ...takes]
    if (step.overlaps) {
      running.add(index)
      return [...preparation, `{ ${command}; } & sent[${number(index)}]=$!`]
    }
    finished.push(index)
    return [...preparation, command, ...(running.size === 0 ? showFinished() : [])]
  })
  const lastWaits = [...running].map(wait)
  finished.push(...running)
  const { failure } = outcome
  return [
    `section ${quote(oneLine(`${outcome.endpoint}: ${outcome.check}`, 300))}`,
    ...lines,
    ...lastWaits,
    ...showFinished(),
    ...(failure?.expected === undefined ? [] : [`note ${quote('expected')} ${quote(text(failure.expected))}`]),
    ...(failure === undefined
      ? []
      : [`note ${quote('received in the recorded run')} ${quote(text(failure.received ?? failure.message))}`]),
  ]
}

function sendFunction({ waitFor }: Step, own: number, number: (index: number) => number): string {
  if (waitFor === undefined) return `send ${own}`
  if ('endOf' in waitFor) return `until_ended ${own} ${waitFor.endOf}`
  return `until_changed ${own} ${number(waitFor.changedSince)}`
}

function curlArguments(exchange: Exchange, ids: readonly CarriedId[], bucket: BucketSettings, split: SplitUrl): string {
  const { base, rest } = split(exchange.url)
  const { method, requestBody } = exchange
  return [
    `-X ${/^[A-Z]+$/.test(method) ? method : quote(method)}`,
    word([base, ...replaceIds(rest, ids, 'url')]),
    ...headerArguments(exchange),
    ...(requestBody === undefined ? [] : [`--data-raw ${word(bodyParts(exchange, ids, bucket))}`]),
  ].join(' ')
}

/** The title of a step, with the recorded status. */
function title(exchange: Exchange, ids: readonly CarriedId[], split: SplitUrl): string {
  const parts = replaceIds(split(exchange.url).rest, ids, 'url')
  const path = parts.map((part) => ('variable' in part ? `{${part.variable}}` : part.text)).join('')
  const recorded = exchange.status ?? exchange.error ?? 'no response'
  return oneLine(`${exchange.method} ${path} (recorded: ${recorded})`, 300)
}

function text(value: string): string {
  return visible(clip(value, textLimit))
}
