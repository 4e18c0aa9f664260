import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../../targets/processes.ts'
import { environment } from '../fixtures/package.ts'
import { type Command, shown } from './commands.ts'
import type { Block } from './pages.ts'
import { openShell } from './shell.ts'

/** Where a reader follows a page. */
export interface ReaderOptions {
  /** A new folder for this reader. */
  readonly folder: string
  /** The checkout whose command line `touchstone` and `npx touchstone` run. */
  readonly checkout: string
  /** Whether the reader works in the checkout; otherwise in a project that has the package installed. */
  readonly inCheckout: boolean
  /** Actual ports by the port that the page shows. */
  readonly ports: Readonly<Record<string, number>>
}

/** Follows the blocks of one page in order. */
export interface Reader {
  /** Writes a file into the working directory. */
  write(name: string, text: string): Promise<void>
  /** Runs a command that the page assumes, with any exit code. */
  prepare(command: string): Promise<void>
  /** Inserts a block into a file of the checkout. */
  insert(block: Block): Promise<void>
  /** Runs a command; throws if its exit code or output differs from the page. */
  run(command: Command): Promise<void>
  /** Returns to the working directory, as every block starts there. */
  startBlock(): Promise<void>
  close(): Promise<void>
}

export async function createReader({ folder, checkout, inCheckout, ports }: ReaderOptions): Promise<Reader> {
  const home = inCheckout ? checkout : join(folder, 'project')
  const [bin, scratch] = [join(folder, 'bin'), join(folder, 'printed')]
  for (const path of [scratch, home]) await mkdir(path, { recursive: true })
  if (!inCheckout) await makeProject(home, checkout)
  await writeCommands(bin, join(checkout, 'cli/bin/touchstone.js'))
  const env = { ...environment, CI: '', PATH: [bin, environment['PATH']].join(delimiter) }
  const shell = openShell(scratch, home, env)
  const listening = new Map(Object.entries(ports))
  const serving = new Map<string, () => Promise<{ code: number; stderr: string }>>()
  const toActualPorts = (text: string) =>
    text.replaceAll(/(?<=127\.0\.0\.1:|--port |-- \S+ )\d{4}\b/g, (port) => String(listening.get(port) ?? port))
  const toShownPorts = (text: string) =>
    [...listening].reduce((line, [named, real]) => line.replaceAll(`:${real}`, `:${named}`), text)

  async function stop(port: string): Promise<void> {
    const result = await serving.get(port)?.()
    serving.delete(port)
    if (result && result.code !== 0)
      throw new Error(`the server on port ${port} exited with ${result.code}: ${result.stderr}`)
  }
  return {
    async write(name, text) {
      await mkdir(dirname(join(home, name)), { recursive: true })
      await writeFile(join(home, name), `${toActualPorts(text)}\n`)
    },
    async prepare(command) {
      await shell.run(toActualPorts(command))
    },
    async insert({ at, text, meta: { insert = '', after, before } }) {
      const file = join(home, insert)
      const lines = (await readFile(file, 'utf8')).split('\n')
      const mark = (after ?? before ?? '').split('\n')
      const position = lines.findIndex((_, index) => mark.every((line, next) => lines[index + next]?.includes(line)))
      if (position < 0) throw new Error(`${at}: ${insert} has no line with ${mark.join(' / ')}`)
      lines.splice(after === undefined ? position : position + 1, 0, text)
      await writeFile(file, lines.join('\n'))
    },
    async startBlock() {
      await shell.run(`cd '${home}'`)
    },
    async run({ at, text, exitCode, output, serves }) {
      if (serves) {
        const [port = ''] = /\b\d{4}\b/.exec(text) ?? []
        await stop(port)
        listening.set(port, await freePort())
        const { line, stop: end } = await shell.serve(toActualPorts(text))
        serving.set(port, end)
        const printed = toShownPorts(`${line}\n`)
        if (shown(output ?? 'listening on …').test(printed)) return
        throw new Error(`${at}: ${text}\nexpected the output ${output}\nreceived ${printed}`)
      }
      const { code, stdout, stderr } = await shell.run(toActualPorts(text))
      const printed = toShownPorts(stdout)
      if (code !== exitCode)
        throw new Error(`${at}: ${text}\nexpected exit code ${exitCode}, received ${code}\n${printed}\n${stderr}`)
      if (output === undefined || shown(output).test(printed)) return
      throw new Error(`${at}: ${text}\nexpected the output\n${output}\nreceived\n${printed}`)
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

/** Creates a project with the package, as npm installs it from a folder. */
async function makeProject(folder: string, checkout: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await symlink(checkout, join(folder, 'node_modules/touchstone'))
  for (const scope of ['@langchain', '@types']) {
    await symlink(join(checkout, 'node_modules', scope), join(folder, 'node_modules', scope))
  }
}

/** Creates the commands `touchstone` and `npx`, which installs nothing, in a new folder or an existing one. */
export async function writeCommands(bin: string, program: string): Promise<void> {
  await mkdir(bin, { recursive: true })
  const run = `exec '${process.execPath}' '${program}' "$@"`
  const npx = `[ "$1" = touchstone ] || PATH="\${PATH#*:}" exec npx --no-install "$@"; shift; ${run}`
  await writeFile(join(bin, 'touchstone'), `#!/bin/sh\n${run}\n`, { mode: 0o755 })
  await writeFile(join(bin, 'npx'), `#!/bin/sh\n${npx}\n`, { mode: 0o755 })
}
