import { execFile } from 'node:child_process'
import { access, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import GithubSlugger from 'github-slugger'
import type { Heading, Link } from 'mdast'
import { toString as textOf } from 'mdast-util-to-string'
import { visit } from 'unist-util-visit'
import { expect, test } from 'vitest'
import { checkout, pages, treeOf } from './pages.ts'

const execute = promisify(execFile)
const all = [...(await pages()), 'CHANGELOG.md']

/** The links of a page that lead to files of the checkout, as paths there with the anchor behind. */
async function linksOf(page: string): Promise<{ path: string; anchor: string }[]> {
  const links: { path: string; anchor: string }[] = []
  visit(await treeOf(page), 'link', ({ url }: Link) => {
    if (/^[a-z]+:/.test(url)) return
    const [path = '', anchor = ''] = url.split('#')
    links.push({ path: path === '' ? page : relative('.', join(dirname(page), path)), anchor })
  })
  return links
}

/** The anchors of the headings of a page, as GitHub makes them. */
async function anchorsOf(page: string): Promise<string[]> {
  const slugger = new GithubSlugger()
  const anchors: string[] = []
  visit(await treeOf(page), 'heading', (heading: Heading) => {
    anchors.push(slugger.slug(textOf(heading)))
  })
  return anchors
}

test.for(all)('every link of %s leads somewhere', async (page) => {
  for (const { path, anchor } of await linksOf(page)) {
    await access(join(checkout, path))
    if (anchor !== '') expect(await anchorsOf(path), `${path}#${anchor}`).toContain(anchor)
  }
})

test('every link of a page of the package leads to something in the package', async () => {
  const { stdout } = await execute('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: checkout })
  const [packed]: { files: { path: string }[] }[] = JSON.parse(stdout)
  const files = packed?.files.map(({ path }) => path) ?? []
  const isThere = (wanted: string) => files.some((file) => file === wanted || file.startsWith(`${wanted}/`))

  const pages = files.filter((file) => file.endsWith('.md'))
  const dead = pages.map(async (page) => (await linksOf(page)).filter(({ path }) => !isThere(path)))

  expect(pages.length).toBeGreaterThan(30)
  expect((await Promise.all(dead)).flat()).toEqual([])
})

test('no page is told twice in README', async () => {
  const readme = await readFile(join(checkout, 'README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| \[.*?\]/gm)].map(([row]) => row)

  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([])
})

test('README leads to every page', async () => {
  const linked = new Set((await linksOf('README.md')).map(({ path }) => path))

  expect(
    (await pages()).filter(
      (page) => page !== 'README.md' && !page.startsWith('docs/concepts/decisions/') && !linked.has(page),
    ),
  ).toEqual([])
})

test('every page that is written by hand leads on to another one', async () => {
  const leads = await Promise.all(
    (await pages())
      .filter((page) => !page.startsWith('docs/concepts/decisions/'))
      .map(async (page) => ({ page, on: (await linksOf(page)).some(({ path }) => path !== page) })),
  )
  const written = await Promise.all(
    leads.map(async ({ page, on }) => ({ page, on, text: await readFile(join(checkout, page), 'utf8') })),
  )

  expect(written.filter(({ on, text }) => !on && !text.includes('do not edit')).map(({ page }) => page)).toEqual([])
})
