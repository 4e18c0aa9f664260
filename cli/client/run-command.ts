import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The end of a command. */
export interface CommandEnd {
  /** 128 and the number of the signal, as in a shell, if a signal ended it. */
  readonly exitCode: number
  /** The last lines of its output. */
  readonly output: string
}

const LONGEST_OUTPUT = 2000
const SHOWN_LINES = 20
const KILLED = 128 + 9

/** Runs a command in a shell. It is killed, with the processes that it started, after the timeout or by the signal. */
export async function runCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<CommandEnd> {
  // A group of its own, to end the processes that the shell starts. Windows has no groups.
  const hasGroup = process.platform !== 'win32'
  const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'], detached: hasGroup })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-LONGEST_OUTPUT)
    })
  }
  const kill = (): void => {
    if (child.pid === undefined) return
    try {
      if (hasGroup) process.kill(-child.pid, 'SIGKILL')
      else child.kill('SIGKILL')
    } catch {
      // It has just ended.
    }
  }
  const timer = setTimeout(kill, timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  signal.removeEventListener('abort', kill)
  return { exitCode: code ?? KILLED, output: output.trim().split('\n').slice(-SHOWN_LINES).join('\n') }
}
