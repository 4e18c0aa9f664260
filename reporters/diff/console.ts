import { paint } from '../color.ts'
import type { ConsoleOptions } from '../console.ts'
import { oneLine } from '../model/text.ts'
import type { Change, ReportDiff } from './compare.ts'
import type { Identity } from './identity.ts'
import { explained, headline, sections, way } from './sections.ts'

/** Renders a comparison for a terminal: what happened in one sentence, both identities, then every change. */
export function renderDiffConsole(diff: ReportDiff, { color = false }: ConsoleOptions = {}): string {
  const ink = paint(color)
  const line = ink.bold((diff.broke.length > 0 ? ink.red : ink.green)(headline(diff)))
  const colors: Record<string, (text: string) => string> = { Broke: ink.red, Fixed: ink.green }
  const blocks = sections(diff).map(({ title, changes }) => {
    const head = ink.bold((colors[title] ?? String)(`${title} (${changes.length})`))
    return [head, ...changes.map((change) => told(change, ink.dim))].join('\n')
  })
  const warnings = diff.warnings.map((text) => ink.yellow(`  ${oneLine(text, 500)}`))
  return `${[
    line,
    [identity('before', diff.before, ink.dim), identity('after', diff.after, ink.dim)].join('\n'),
    ...(warnings.length > 0 ? [[ink.bold(ink.yellow('Not quite alike')), ...warnings].join('\n')] : []),
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
      `${indent}touchstone ${oneLine(suite.version, 40)}, register ${oneLine(suite.catalogHash).slice(0, 12)}, seed ${oneLine(suite.seed, 80)}`,
    ),
  ].join('\n')
}

function told(change: Change, dim: (text: string) => string): string {
  const why = explained(change).map(({ label, text }) => dim(`    ${label && `${label}: `}${oneLine(text, 300)}`))
  return [`  ${oneLine(change.id, 200)}: ${way(change)}`, ...why].join('\n')
}
