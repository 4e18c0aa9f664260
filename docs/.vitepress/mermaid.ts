import type { MarkdownRenderer } from 'vitepress'

/** Markdown-it plugin that renders `mermaid` blocks with the component of the theme. */
export function mermaid(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    if (info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
    const title = /^%% (.+)$/m.exec(content)?.[1] ?? 'Diagram'
    return `<MermaidDiagram title="${md.utils.escapeHtml(title)}" source="${encodeURIComponent(content)}" />\n`
  }
}
