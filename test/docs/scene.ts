import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../../targets/processes.ts'
import { environment } from '../fixtures/package.ts'
import { type Command, shown } from './commands.ts'
import type { Block } from './pages.ts'
import { openShell } from './shell.ts'

/** What a page is read in. */
export interface SceneOptions {
  /** A folder of this reader's own; created. */
  readonly folder: string
  /** The checkout that `touchstone` and `npx touchstone` stand for. */
  readonly checkout: string
  /** Whether the reader sits in the checkout; else in a project that has the package. */
  readonly inCheckout: boolean
  /** The ports where what the page names as a port listens. */
  readonly ports: Readonly<Record<string, number>>
}

/** A reader of one page: goes through its blocks in order. */
export interface Scene {
  /** Writes a file into the folder of the reader. */
  lay(name: string, text: string): Promise<void>
  /** Runs what the page takes for granted, whatever its exit code. */
  prepare(command: string): Promise<void>
  /** Puts an excerpt of a source file where the page says. */
  insert(block: Block): Promise<void>
  /** Runs a command; throws where it ends or prints otherwise than the page says. */
  run(command: Command): Promise<void>
  /** Begins a block: the reader is back in the folder. */
  home(): Promise<void>
  close(): Promise<void>
}

export async function openScene({ folder, checkout, inCheckout, ports }: SceneOptions): Promise<Scene> {
  const home = inCheckout ? checkout : join(folder, 'project')
  const [bin, scratch] = [join(folder, 'bin'), join(folder, 'printed')]
  for (const made of [bin, scratch, home]) await mkdir(made, { recursive: true })
  if (!inCheckout) await makeProject(home, checkout)
  await writeCommands(bin, join(checkout, 'cli/bin/touchstone.js'))
  const env = { ...environment, CI: '', PATH: [bin, environment['PATH']].join(delimiter) }
  const shell = openShell(scratch, home, env)
  const listening = new Map(Object.entries(ports))
  const serving = new Map<string, () => Promise<{ code: number; stderr: string }>>()
  const there = (text: string) =>
    text.replaceAll(/(?<=127\.0\.0\.1:|--port |-- \S+ )\d{4}\b/g, (port) => String(listening.get(port) ?? port))
  const here = (text: string) =>
    [...listening].reduce((line, [named, real]) => line.replaceAll(`:${real}`, `:${named}`), text)

  async function stop(port: string): Promise<void> {
    const ended = await serving.get(port)?.()
    serving.delete(port)
    if (ended && ended.code !== 0) throw new Error(`the server at ${port} ended with ${ended.code}: ${ended.stderr}`)
  }
  return {
    async lay(name, text) {
      await mkdir(dirname(join(home, name)), { recursive: true })
      await writeFile(join(home, name), `${there(text)}\n`)
    },
    async prepare(command) {
      await shell.run(there(command))
    },
    async insert({ at, text, meta: { insert = '', after, before } }) {
      const file = join(home, insert)
      const lines = (await readFile(file, 'utf8')).split('\n')
      const mark = (after ?? before ?? '').split('\n')
      const found = lines.findIndex((_, index) => mark.every((line, next) => lines[index + next]?.includes(line)))
      if (found < 0) throw new Error(`${at}: ${insert} has no line with ${mark.join(' / ')}`)
      lines.splice(after === undefined ? found : found + 1, 0, text)
      await writeFile(file, lines.join('\n'))
    },
    async home() {
      await shell.run(`cd '${home}'`)
    },
    async run({ at, text, exitCode, output, serves }) {
      if (serves) {
        const [port = ''] = /\b\d{4}\b/.exec(text) ?? []
        await stop(port)
        listening.set(port, await freePort())
        const { line, stop: end } = await shell.serve(there(text))
        serving.set(port, end)
        const printed = here(`${line}\n`)
        if (shown(output ?? 'listening on …').test(printed)) return
        throw new Error(`${at}: ${text}\nprinted ${printed}\nand the page shows ${output}`)
      }
      const { code, stdout, stderr } = await shell.run(there(text))
      const printed = here(stdout)
      if (code !== exitCode)
        throw new Error(`${at}: ${text}\nended with ${code}, not ${exitCode}\n${printed}\n${stderr}`)
      if (output === undefined || shown(output).test(printed)) return
      throw new Error(`${at}: ${text}\nprinted\n${printed}\nand the page shows\n${output}`)
    },
    async close() {
      try {
        for (const port of [...serving.keys()]) await stop(port)
      } finally {
        await shell.close()
      }
    },
  }
}

/** A project with the package, as npm installs it from a folder. */
async function makeProject(folder: string, checkout: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await symlink(checkout, join(folder, 'node_modules/touchstone'))
  for (const scope of ['@langchain', '@types']) {
    await symlink(join(checkout, 'node_modules', scope), join(folder, 'node_modules', scope))
  }
}

/** `touchstone` and `npx touchstone`; npx itself runs what else the project has, and installs nothing. */
async function writeCommands(bin: string, program: string): Promise<void> {
  const run = `exec '${process.execPath}' '${program}' "$@"`
  const npx = `[ "$1" = touchstone ] || PATH="\${PATH#*:}" exec npx --no-install "$@"; shift; ${run}`
  await writeFile(join(bin, 'touchstone'), `#!/bin/sh\n${run}\n`, { mode: 0o755 })
  await writeFile(join(bin, 'npx'), `#!/bin/sh\n${npx}\n`, { mode: 0o755 })
}
