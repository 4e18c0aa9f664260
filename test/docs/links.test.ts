import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import GithubSlugger from 'github-slugger'
import type { Heading, Html, Image, Link } from 'mdast'
import { toString as textOf } from 'mdast-util-to-string'
import { visit } from 'unist-util-visit'
import type { DefaultTheme } from 'vitepress'
import { expect, test } from 'vitest'
import { sidebar } from '../../docs/.vitepress/sidebar.ts'
import { checkout, pages, treeOf } from './pages.ts'

const execute = promisify(execFile)
const all = [...(await pages()), 'CHANGELOG.md']

/** The links and images of a page that lead to files of the checkout: paths in the checkout, with anchors. */
async function linksOf(page: string): Promise<{ path: string; anchor: string }[]> {
  const links: { path: string; anchor: string }[] = []
  visit(await treeOf(page), ['link', 'image'], (node) => {
    const { url } = node as Link | Image
    if (/^[a-z]+:/.test(url)) return
    const [path = '', anchor = ''] = url.split('#')
    links.push({ path: path === '' ? page : relative('.', join(dirname(page), path)), anchor })
  })
  return links
}

const anchors = new Map<string, Promise<string[]>>()

/** The anchors of a page, which is parsed once. */
function anchorsOf(page: string): Promise<string[]> {
  const found = anchors.get(page) ?? parseAnchors(page)
  anchors.set(page, found)
  return found
}

/** The anchors of a page: of its headings as GitHub creates them, and those in HTML. */
async function parseAnchors(page: string): Promise<string[]> {
  const slugger = new GithubSlugger()
  const anchors: string[] = []
  const tree = await treeOf(page)
  visit(tree, 'heading', (heading: Heading) => {
    anchors.push(slugger.slug(textOf(heading)))
  })
  visit(tree, 'html', ({ value }: Html) => {
    anchors.push(...Array.from(value.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id))
  })
  return anchors
}

test.for(all)('every link of %s has a target', async (page) => {
  for (const { path, anchor } of await linksOf(page)) {
    await access(join(checkout, path))
    if (anchor !== '') expect(await anchorsOf(path), `${path}#${anchor}`).toContain(anchor)
  }
})

test('every link of a packed page has a target in the package', async () => {
  const { stdout } = await execute('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: checkout })
  const [packed]: { files: { path: string }[] }[] = JSON.parse(stdout)
  const files = packed?.files.map(({ path }) => path) ?? []
  const isThere = (wanted: string) => files.some((file) => file === wanted || file.startsWith(`${wanted}/`))

  const pages = files.filter((file) => file.endsWith('.md'))
  const dead = pages.map(async (page) => (await linksOf(page)).filter(({ path }) => !isThere(path)))

  expect(pages.length).toBeGreaterThan(30)
  expect((await Promise.all(dead)).flat()).toEqual([])
})

test('every page that the source names exists', async () => {
  const { stdout } = await execute(
    'git',
    ['grep', '-ohE', 'docs/[a-z/-]+\\.md', '--', '*.ts', '*.js', '*.json', '*.yml'],
    {
      cwd: checkout,
    },
  )
  const named = [...new Set(stdout.trim().split('\n'))]

  expect(named.length).toBeGreaterThan(5)
  for (const path of named) await access(join(checkout, path))
})

test('README links every page once', async () => {
  const linked = (await linksOf('README.md')).map(({ path }) => path)
  const generated = /^docs\/(concepts\/decisions|reference\/(api|requirements|specification))\/(?!index\.md)/
  const wanted = (await pages()).filter((page) => page.startsWith('docs/') && !generated.test(page))

  expect(wanted.filter((page) => page !== 'docs/index.md' && !linked.includes(page))).toEqual([])
  const rows = [...(await readFile(join(checkout, 'README.md'), 'utf8')).matchAll(/^\| \[.*?\]/gm)].map(([row]) => row)
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([])
})

test('the sidebar lists every page of the site once', async () => {
  const listed = linksOfSidebar(sidebar).map((link) => `docs${link.replace(/\/$/, '/index')}.md`)
  const wanted = (await pages()).filter((page) => page.startsWith('docs/') && page !== 'docs/index.md')

  expect(listed.toSorted()).toEqual(wanted.toSorted())
})

function linksOfSidebar(items: readonly DefaultTheme.SidebarItem[]): string[] {
  return items.flatMap(({ link, items = [] }) => [...(link === undefined ? [] : [link]), ...linksOfSidebar(items)])
}

test('every page that is not generated links to another page', async () => {
  const written = (await pages()).filter((page) => !page.startsWith('docs/concepts/decisions/'))
  const texts = await Promise.all(
    written.map(async (page) => ({
      page,
      text: await readFile(join(checkout, page), 'utf8'),
      leads: (await linksOf(page)).some(({ path }) => path !== page),
    })),
  )

  expect(texts.filter(({ text, leads }) => !leads && !text.includes('do not edit')).map(({ page }) => page)).toEqual([])
})
