import { bounded } from '../bounded.ts'
import { code, plain } from '../markdown-text.ts'
import type { Change, ReportDiff } from './compare.ts'
import type { Identity } from './identity.ts'
import { explained, headline, sections, way } from './sections.ts'

/** What a comment or a job summary may hold, with room for the head; in bytes. */
const limit = 60_000

/** Renders a comparison in GitHub's Markdown, short enough for the comment of a pull request. */
export function renderDiffMarkdown(diff: ReportDiff): string {
  const { text, cut } = bounded(
    sections(diff).map(({ title, changes }) => ({
      name: `under "${title}"`,
      before: `\n### ${title} (${changes.length})\n\n`,
      items: changes.map(bullet),
      after: '',
    })),
    limit,
  )
  const note = cut.length > 0 ? `\n> **Shortened.** Left out: ${cut.join(', ')}. \`--format json\` holds all.\n` : ''
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
  const of = `${plain(target.name, 200)}${version} (${endpoints || 'no endpoint'})`
  const by = `touchstone ${plain(suite.version, 40)}, register ${plain(suite.catalogHash).slice(0, 12)}, seed ${plain(suite.seed, 80)}`
  return `| ${side}: ${plain(source, 200)}, ${plain(startedAt, 40)} | ${of} | ${plain(sentence, 500)} | ${by} |\n`
}

function bullet(change: Change): string {
  const why = explained(change).map(({ label, text }) => `; ${label && `${label}: `}${code(text, 300)}`)
  return `- ${code(change.id)}: ${plain(way(change))}${why.join('')}\n`
}
