import type { Measure } from './measure.ts'
import type { Row } from './row.ts'

/** When, where and how the results were measured. */
export interface Circumstances {
  readonly command: string
  readonly machine: string
  /** The measured servers, each with its version. */
  readonly servers: readonly string[]
  /** What was not measured, with the reason. */
  readonly missing: readonly string[]
  readonly date: string
  readonly seconds: number
}

/** Renders the results as Markdown. */
export function toMarkdown(rows: readonly Row[], measures: readonly Measure[], about: Circumstances): string {
  const sections = [
    '# Benchmark results',
    verdict(rows),
    facts(about),
    '[README.md](README.md) explains how to read the results.',
    ...measures.map((measure) => section(measure, rows)),
  ]
  return `${sections.join('\n\n')}\n`
}

function verdict(rows: readonly Row[]): string {
  const withGoal = rows.filter(({ goal }) => goal !== null)
  const missed = withGoal.filter(({ met }) => !met).map(({ name }) => `\`${name}\``)
  if (missed.length === 0) return `All ${withGoal.length} goals are met.`
  return `${missed.length} of ${withGoal.length} goals are missed: ${missed.join(', ')}.`
}

function facts({ command, machine, servers, missing, date, seconds }: Circumstances): string {
  return [
    `- command: \`${command}\`, ${date}, in ${Math.round(seconds)} s`,
    `- machine: ${machine}`,
    `- servers: ${servers.join(', ')}`,
    ...missing.map((reason) => `- not measured: ${reason}`),
  ].join('\n')
}

function section({ name, explanation }: Measure, rows: readonly Row[]): string {
  return [
    `## ${name}`,
    '',
    explanation,
    '',
    '| | median | lowest to highest | unit | ratio | compared to | goal |',
    '| --- | ---: | ---: | --- | ---: | --- | --- |',
    ...rows.filter((row) => row.name.startsWith(`${name}.`)).map(line),
  ].join('\n')
}

function line({ name, value, low, high, unit, reference, ratio, goal, met }: Row): string {
  const goalCell = goal === null ? '' : `${goal}: ${met ? 'met' : '**missed**'}`
  const referenceCell = reference === null ? '' : `\`${reference}\``
  const cells = [`\`${name}\``, value, `${low} to ${high}`, unit, ratio ?? '', referenceCell, goalCell]
  return `| ${cells.join(' | ')} |`
}
