import type { ConsoleOptions } from '../console.ts'
import type { ReportDiff } from './compare.ts'
import { renderDiffConsole } from './console.ts'
import { renderDiffMarkdown } from './markdown.ts'

export type DiffFormatName = 'console' | 'json' | 'markdown'

/** The renderers of a comparison by format name. */
export const diffFormats: Record<DiffFormatName, (diff: ReportDiff, options?: ConsoleOptions) => string> = {
  console: renderDiffConsole,
  json: (diff) => `${JSON.stringify(diff, null, 2)}\n`,
  markdown: renderDiffMarkdown,
}
