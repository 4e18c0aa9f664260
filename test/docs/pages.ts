import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Code, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { visit } from 'unist-util-visit'

/** The checkout that the tests run in. */
export const checkout: string = fileURLToPath(new URL('../..', import.meta.url))

/** A fenced block of a page. */
export interface Block {
  /** Path and line, for messages. */
  readonly at: string
  readonly page: string
  readonly language: string
  readonly text: string
  /** The attributes after the language, which readers do not see. */
  readonly meta: Readonly<Record<string, string>>
}

/** The paths of all pages, sorted. */
export async function pages(): Promise<string[]> {
  const patterns = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md']
  const paths: string[] = []
  for await (const path of glob(patterns, { cwd: checkout })) paths.push(path)
  return paths.toSorted()
}

/** The tree of a page. */
export async function treeOf(page: string): Promise<Root> {
  return fromMarkdown(await readFile(`${checkout}/${page}`, 'utf8'))
}

/** The fenced blocks of a page, in order. */
export async function blocksOf(page: string): Promise<Block[]> {
  const blocks: Block[] = []
  visit(await treeOf(page), 'code', ({ lang, meta, value, position }: Code) => {
    const at = `${page}:${position?.start.line}`
    blocks.push({ at, page, language: lang ?? '', text: value, meta: parseMeta(meta ?? '') })
  })
  return blocks
}

/** The cells of the first table after a heading, without the header row. */
export async function textsOfTable(page: string, heading: string): Promise<string[][]> {
  const lines = (await readFile(`${checkout}/${page}`, 'utf8')).split('\n')
  const below = lines.slice(lines.findIndex((line) => /^#+ /.test(line) && line.endsWith(` ${heading}`)) + 1)
  const table = below.slice(below.findIndex((line) => line.startsWith('| --- ')) + 1)
  const rows = table.slice(
    0,
    table.findIndex((line) => !line.startsWith('|')),
  )
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

/** Parses `name=word` and `name="text"`, in which `\n` is a line break. */
function parseMeta(meta: string): Record<string, string> {
  const pairs = meta.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)
  return Object.fromEntries(
    Array.from(pairs, ([, name = '', text, word]) => [name, text?.replaceAll('\\n', '\n') ?? word ?? '']),
  )
}
