import { spawnSync } from 'node:child_process'
import type { Block } from './pages.ts'

/** A command of a page, with what the page says about it. */
export interface Command {
  readonly at: string
  readonly text: string
  /** 0 unless a comment after the command contains `exit code N`. */
  readonly exitCode: number
  /** The output that the page shows; undefined where it shows none. */
  readonly output?: string
  /** Starts a server, which runs until it is stopped and prints its URL first. */
  readonly serves: boolean
}

/** The languages of blocks with commands. */
export const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'console'])

/** The commands of a block. */
export function commandsOf(block: Block): Command[] {
  const parts = block.language === 'console' ? transcript(block.text) : script(block.text).map((text) => ({ text }))
  return parts.map((part) => ({
    ...part,
    at: block.at,
    exitCode: Number(/#.*\bexit code (\d)/.exec(part.text)?.[1] ?? 0),
    serves: /^((npx )?touchstone (serve|record)|npm run mutant --)/m.test(part.text),
  }))
}

/** The command without its comment. */
export function bare(text: string): string {
  return text.replace(/\s+# .*$/, '')
}

/** The commands of a terminal session: each line after a `$`, with its output. */
function transcript(text: string): { text: string; output: string }[] {
  const [before = '', ...parts] = text.split(/^\$ /m)
  if (before !== '') throw new Error(`expected a console block to start with "$ ", received ${before}`)
  return parts.map((part) => {
    const [command = '', ...output] = part.trimEnd().split('\n')
    return { text: command, output: output.join('\n') }
  })
}

/** The commands of a script: lines, joined until the shell accepts them as complete. */
function script(text: string): string[] {
  const commands: string[] = []
  let open = ''
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`
    const goesOn = open.endsWith('\\') || spawnSync('bash', ['-n', '-c', open]).status !== 0
    if (goesOn) continue
    if (!/^\s*(#|$)/.test(open)) commands.push(open)
    open = ''
  }
  if (open !== '') throw new Error(`expected a complete command, received ${open}`)
  return commands
}

/** The output on a page as a pattern: `…` matches any text, and on a separate line any lines. */
export function shown(output: string): RegExp {
  if (output === '') return /^$/
  const lines = output.split('\n').map((line) => {
    if (line === '…') return '(?:.*\\n)*?'
    return `${line.split('…').map(escaped).join('.*')}\\n`
  })
  return new RegExp(`^${lines.join('')}$`)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
