import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/**
 * Markdown-it plugin for links from a page to a file outside docs/, such as `../../bench/RESULTS.md`. They work where the
 * Markdown is read in the repository; on the site they lead to `repository`, or become plain text without one.
 */
export function externalLinks(md: MarkdownRenderer, { repository }: { repository: string | undefined }): void {
  md.core.ruler.push('external_links', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let dropped = false
      for (const token of children ?? []) {
        if (token.type === 'link_close' && dropped) {
          token.hidden = true
          token.type = 'text'
          dropped = false
        }
        if (token.type !== 'link_open') continue
        const path = pathOutside(env.relativePath, token.attrGet('href') ?? '')
        if (path === undefined) continue
        if (repository) token.attrSet('href', `${repository}/blob/main/${path}`)
        else {
          token.type = 'text'
          dropped = true
        }
      }
    }
  })
}

/** The path in the repository of a link that leaves docs/; undefined for every other link. */
function pathOutside(page: string, href: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined
  const path = posix.join('docs', posix.dirname(page), href)
  return path.startsWith('docs/') ? undefined : path
}
