import { code, joinWithin, plain } from '../markdown-text.ts'
import type { Change, Identity, ReportDiff } from './compare.ts'
import { explanations, headline, sections, transition } from './sections.ts'

/** Maximum size of the sections in bytes; a comment on GitHub has at most 65,536 characters. */
const sizeLimit = 60_000

/** Renders a comparison in GitHub Markdown, short enough for a comment on a pull request. */
export function renderDiffMarkdown(diff: ReportDiff): string {
  const { text, leftOut } = joinWithin(
    sizeLimit,
    sections(diff).map(({ title, changes }) => ({
      name: `under "${title}"`,
      before: `\n### ${title} (${changes.length})\n\n`,
      items: changes.map(bullet),
      after: '',
    })),
  )
  const note =
    leftOut.length > 0 ? `\n> **Shortened.** Left out: ${leftOut.join(', ')}. \`--format json\` is complete.\n` : ''
  const warnings = diff.warnings.map((warning) => `> ${plain(warning)}\n`).join('>\n')
  return [
    `## ${diff.broke.length > 0 ? '❌' : '✅'} ${headline(diff)}\n`,
    `| | target | verdict | suite |\n| --- | --- | --- | --- |\n${identity('before', diff.before)}${identity('after', diff.after)}`,
    ...(warnings === '' ? [] : [warnings]),
    note + text,
  ]
    .map((part) => part.replace(/^\n/, ''))
    .filter((part) => part !== '')
    .join('\n')
}

function identity(side: string, { source, target, suite, startedAt, sentence }: Identity): string {
  const version = target.version === undefined ? '' : ` ${plain(target.version, 80)}`
  const endpoints = target.endpoints.map(({ name, url }) => `${plain(name, 80)} ${plain(url, 200)}`).join(', ')
  const targetText = `${plain(target.name, 200)}${version} (${endpoints || 'no endpoint'})`
  const suiteText = `touchstone ${plain(suite.version, 40)}, catalog ${plain(suite.catalogHash).slice(0, 12)}, seed ${plain(suite.seed, 80)}`
  return `| ${side}: ${plain(source, 200)}, ${plain(startedAt, 40)} | ${targetText} | ${plain(sentence, 500)} | ${suiteText} |\n`
}

function bullet(change: Change): string {
  const why = explanations(change).map(({ label, text }) => `; ${label && `${label}: `}${code(text, 300)}`)
  return `- ${code(change.id)}: ${plain(transition(change))}${why.join('')}\n`
}
