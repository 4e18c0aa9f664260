import { readdirSync, readFileSync } from 'node:fs'
import type { DefaultTheme } from 'vitepress'

/** The pages of the site, in the order in which a newcomer needs them. A test demands that every page is listed. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  group('Tutorial', 'tutorial', ['test-a-server', 'test-a-client']),
  {
    text: 'Guides',
    items: [
      group('Test a server', 'guides', [
        'test-your-server',
        'deploy-test-graphs',
        'other-languages',
        'test-bulk-exports',
        'buckets',
        'read-the-report',
        'baselines',
        'compare-and-replay',
        'continuous-integration',
      ]),
      group('Test a client', 'guides', [
        'mock-server',
        'integrations',
        'script-graphs',
        'record-and-replay',
        'live-page',
        'faults-and-journal',
        'client-conformance',
        'test-a-react-client',
        'test-a-python-client',
        'read-an-export',
      ]),
      page('guides/python'),
      page('guides/troubleshooting'),
    ],
  },
  {
    text: 'Reference',
    items: [
      ...[
        'verdicts',
        'cli',
        'glossary',
        'traces',
        'test-graphs',
        'export-filters',
        'sdk-calls',
        'client-requirements',
      ].map((name) => page(`reference/${name}`)),
      ...['third-party-servers', 'unspecified-behavior'].map((name) => page(`reference/${name}`)),
      folder('Requirements', 'reference/requirements'),
      folder('Statements of the specification', 'reference/specification'),
      folder('API', 'reference/api'),
    ],
  },
  {
    text: 'Concepts',
    items: [page('concepts/architecture'), page('concepts/alternatives'), folder('Decisions', 'concepts/decisions')],
  },
  group('Contributing', 'contributing', [
    'index',
    'adding-a-check',
    'generated-mutants',
    'adding-a-choice',
    'benchmarks',
  ]),
]

function group(text: string, path: string, names: readonly string[]): DefaultTheme.SidebarItem {
  return { text, items: names.map((name) => page(`${path}/${name}`)) }
}

/** A group that starts closed, with all pages of a folder in the order of their names. */
function folder(text: string, path: string): DefaultTheme.SidebarItem {
  const names = readdirSync(new URL(`../${path}`, import.meta.url)).filter((name) => name.endsWith('.md'))
  const items = names.toSorted().map((name) => page(`${path}/${name.replace(/\.md$/, '')}`))
  return { text, collapsed: true, items: items.toSorted((a, b) => Number(isIndex(b)) - Number(isIndex(a))) }
}

function isIndex({ link }: DefaultTheme.SidebarItem): boolean {
  return link?.endsWith('/') ?? false
}

/** An entry under the title of the page. */
function page(path: string): DefaultTheme.SidebarItem {
  const text = readFileSync(new URL(`../${path}.md`, import.meta.url), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  return { text: title.replaceAll('`', ''), link: `/${path.replace(/(^|\/)index$/, '$1')}` }
}
