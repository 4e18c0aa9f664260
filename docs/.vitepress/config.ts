import { slug } from 'github-slugger'
import { defineConfig, type MarkdownRenderer, type UserConfig } from 'vitepress'
import packageJson from '../../package.json' with { type: 'json' }
import { catalog } from '../../suites/catalog/catalog.ts'
import { externalLinks } from './links.ts'
import { sidebar } from './sidebar.ts'

// The repository has no public address yet. Once package.json has a `repository`, edit links and links to files outside
// docs/ lead there.
const repository = 'repository' in packageJson ? String(packageJson.repository) : undefined

/** Ids of requirements, which are anchors as they are. */
const ids: ReadonlySet<string> = new Set(catalog.map(({ id }) => id))

const config: UserConfig = defineConfig({
  title: 'Touchstone',
  description: packageJson.description,
  lang: 'en-US',
  lastUpdated: false,
  // The tests of the pages check links with their anchors, also those that VitePress does not see.
  ignoreDeadLinks: false,
  markdown: {
    // The same anchors on the site as where the Markdown is read in the repository.
    anchor: { slugify: (text) => (ids.has(text) ? text : slug(text)) },
    config: (md) => {
      md.use(externalLinks, { repository })
      md.use(mermaid)
    },
  },
  // Tables of requirements need the width.
  transformPageData: ({ relativePath, frontmatter }) => {
    if (/^reference\/(requirements|specification)\//.test(relativePath)) frontmatter['aside'] = false
  },
  // The theme has no main landmark on the home page.
  transformHtml: (html) => html.replace('<div class="VPContent is-home"', '<div role="main" class="VPContent is-home"'),
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Test a server', link: '/tutorial/test-a-server' },
      { text: 'Test a client', link: '/tutorial/test-a-client' },
      { text: 'Reference', link: '/reference/glossary' },
    ],
    sidebar,
    ...(repository && { editLink: { pattern: `${repository}/edit/main/docs/:path`, text: 'Edit this page' } }),
  },
})

export default config

/** Markdown-it plugin that renders `mermaid` blocks with the component of the theme. */
function mermaid(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    if (info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
    const title = /^%% (.+)$/m.exec(content)?.[1] ?? 'Diagram'
    return `<MermaidDiagram title="${md.utils.escapeHtml(title)}" source="${encodeURIComponent(content)}" />\n`
  }
}
