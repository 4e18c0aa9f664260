import { type ConsoleOptions, createColors } from '../console.ts'
import { oneLine } from '../model/text.ts'
import type { Change, Identity, ReportDiff } from './compare.ts'
import { explanations, headline, sections, transition } from './sections.ts'

/** Renders a comparison for a terminal: a summary in one sentence, both identities, then every change. */
export function renderDiffConsole(diff: ReportDiff, { color = false }: ConsoleOptions = {}): string {
  const colors = createColors(color)
  const summary = colors.bold((diff.broke.length > 0 ? colors.red : colors.green)(headline(diff)))
  const titleColors: Record<string, (text: string) => string> = { Broke: colors.red, Fixed: colors.green }
  const blocks = sections(diff).map(({ title, changes }) => {
    const head = colors.bold((titleColors[title] ?? String)(`${title} (${changes.length})`))
    return [head, ...changes.map((change) => changeText(change, colors.dim))].join('\n')
  })
  const warnings = diff.warnings.map((text) => colors.yellow(`  ${oneLine(text, 500)}`))
  return `${[
    summary,
    [identity('before', diff.before, colors.dim), identity('after', diff.after, colors.dim)].join('\n'),
    ...(warnings.length > 0
      ? [[colors.bold(colors.yellow('Differences between the runs')), ...warnings].join('\n')]
      : []),
    ...blocks,
  ].join('\n\n')}\n`
}

function identity(
  side: string,
  { source, target, suite, startedAt, sentence }: Identity,
  dim: (text: string) => string,
) {
  const version = target.version === undefined ? '' : ` ${oneLine(target.version, 80)}`
  const endpoints = target.endpoints.map(({ name, url }) => `${oneLine(name, 80)} ${oneLine(url, 200)}`).join(', ')
  const indent = ' '.repeat(8)
  return [
    `${side.padEnd(8)}${oneLine(target.name, 200)}${version}: ${oneLine(sentence, 500)}`,
    dim(`${indent}${oneLine(source, 200)}, ${oneLine(startedAt, 40)}, ${endpoints || 'no endpoint'}`),
    dim(
      `${indent}touchstone ${oneLine(suite.version, 40)}, catalog ${oneLine(suite.catalogHash).slice(0, 12)}, seed ${oneLine(suite.seed, 80)}`,
    ),
  ].join('\n')
}

function changeText(change: Change, dim: (text: string) => string): string {
  const why = explanations(change).map(({ label, text }) => dim(`    ${label && `${label}: `}${oneLine(text, 300)}`))
  return [`  ${oneLine(change.id, 200)}: ${transition(change)}`, ...why].join('\n')
}
