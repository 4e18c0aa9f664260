import { renderBadge } from './badge.ts'
import { type ConsoleOptions, renderConsole } from './console.ts'
import { renderHtml } from './html/page.ts'
import type { HtmlOptions } from './html/page-context.ts'
import { renderJson, renderNdjson } from './json.ts'
import { renderJunit } from './junit.ts'
import { type MarkdownOptions, renderMarkdown } from './markdown.ts'
import type { Report } from './model/report.ts'

export type FormatName = 'console' | 'html' | 'json' | 'ndjson' | 'junit' | 'markdown' | 'badge'

export type RenderOptions = ConsoleOptions & HtmlOptions & MarkdownOptions

/** The renderers by format name. Each is a pure function of the report. */
export const formats: Record<FormatName, (report: Report, options?: RenderOptions) => string> = {
  console: renderConsole,
  html: renderHtml,
  json: renderJson,
  ndjson: renderNdjson,
  junit: renderJunit,
  markdown: renderMarkdown,
  badge: renderBadge,
}
