import { renderMermaidSVG } from 'beautiful-mermaid'
import type { MarkdownRenderer } from 'vitepress'

/** Colors of the theme, so that a diagram follows the light and the dark mode. */
const options = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-2)',
  line: 'var(--vp-c-text-2)',
  accent: 'var(--vp-c-brand-1)',
  surface: 'var(--vp-c-bg-soft)',
  border: 'var(--vp-c-border)',
  font: 'inherit',
  padding: 8,
  nodeSpacing: 56,
  layerSpacing: 56,
  transparent: true,
}

/** Markdown-it plugin that renders `mermaid` blocks to SVG at build time. */
export function mermaid(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const token = tokens[index]
    if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
    // The renderer embeds a web font; the page has its own fonts.
    const svg = renderMermaidSVG(token.content, options).replaceAll(/@import url\([^)]*\);?/g, '')
    const name = /^%% (.+)$/m.exec(token.content)?.[1] ?? 'Diagram'
    return `<div class="diagram" role="img" aria-label="${md.utils.escapeHtml(name)}" tabindex="0" v-pre>${svg}</div>\n`
  }
}
