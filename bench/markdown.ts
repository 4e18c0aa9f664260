import type { Measure } from './measure.ts'
import type { Row } from './row.ts'

/** What the results tell about themselves. */
export interface Circumstances {
  readonly command: string
  readonly machine: string
  /** The servers that were measured, each with its version. */
  readonly servers: readonly string[]
  /** Why others were not. */
  readonly missing: readonly string[]
  readonly date: string
  readonly seconds: number
}

/** The results for readers. */
export function toMarkdown(rows: readonly Row[], measures: readonly Measure[], about: Circumstances): string {
  const sections = [
    '# Results of the benchmark',
    verdict(rows),
    facts(about),
    'How to read this: [README.md](README.md).',
    ...measures.map((measure) => section(measure, rows)),
  ]
  return `${sections.join('\n\n')}\n`
}

function verdict(rows: readonly Row[]): string {
  const promised = rows.filter(({ goal }) => goal !== null)
  const missed = promised.filter(({ met }) => !met).map(({ name }) => `\`${name}\``)
  if (missed.length === 0) return `All ${promised.length} goals are met.`
  return `${missed.length} of ${promised.length} goals are missed: ${missed.join(', ')}.`
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
    '| | median | lowest to highest | unit | ratio | beside | goal |',
    '| --- | ---: | ---: | --- | ---: | --- | --- |',
    ...rows.filter((row) => row.name.startsWith(`${name}.`)).map(line),
  ].join('\n')
}

function line({ name, value, low, high, unit, beside, ratio, goal, met }: Row): string {
  const promise = goal === null ? '' : `${goal}: ${met ? 'met' : '**missed**'}`
  const reference = beside === null ? '' : `\`${beside}\``
  const cells = [`\`${name}\``, value, `${low} to ${high}`, unit, ratio ?? '', reference, promise]
  return `| ${cells.join(' | ')} |`
}
