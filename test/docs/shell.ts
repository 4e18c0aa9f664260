import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Result of a command. */
interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A shell that keeps variables and the working directory between commands. */
export interface Shell {
  run(command: string): Promise<Ended>
  /** Starts a server and resolves with its first line; `stop` sends SIGTERM and resolves with the result. */
  serve(command: string): Promise<{ line: string; stop: () => Promise<Ended> }>
  close(): Promise<void>
}

/** Starts a shell; `scratch` is a folder for the output of commands. */
export function openShell(scratch: string, cwd: string, env: NodeJS.ProcessEnv): Shell {
  const bash = spawn('bash', ['--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const lines = createInterface({ input: bash.stdout })[Symbol.asyncIterator]()
  let errors = ''
  bash.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const send = async (script: string) => {
    bash.stdin.write(`${script}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`expected the shell to run ${script}, but it exited\n${errors}`)
    return String(value)
  }
  let count = 0
  const files = () => {
    count += 1
    return { out: join(scratch, `${count}.out`), err: join(scratch, `${count}.err`) }
  }
  const read = async ({ out, err }: ReturnType<typeof files>) => ({
    stdout: await readFile(out, 'utf8'),
    stderr: await readFile(err, 'utf8'),
  })
  return {
    async run(command) {
      const to = files()
      const code = await send(`{ ${command}\n} > '${to.out}' 2> '${to.err}' < /dev/null; echo $?`)
      return { code: Number(code), ...(await read(to)) }
    },
    async serve(command) {
      const to = files()
      const start = `exec {server}< <(exec 2> '${to.err}' < /dev/null; exec ${command}\n)`
      const [pid, line = ''] = (
        await send(`${start}; pid=$!; IFS= read -r line <&$server; echo "$pid $line"; : > '${to.out}'`)
      ).split(/ (.*)/)
      const stop = async () => {
        const code = await send(`kill -TERM ${pid}; wait ${pid}; echo $?`)
        return { code: Number(code), ...(await read(to)) }
      }
      if (line !== '') return { line, stop }
      throw new Error(`expected a line of output from ${command}, received none\n${(await read(to)).stderr}`)
    },
    async close() {
      bash.stdin.end()
      if (bash.exitCode === null) await once(bash, 'close')
    },
  }
}
