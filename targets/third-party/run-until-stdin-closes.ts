import { spawn } from 'node:child_process'

// Usage: node run-until-stdin-closes.ts PROGRAM ARGUMENT…
// Runs a server until standard input closes. Standard input also closes when the parent process is killed, so that no
// server outlives it.

const [program = '', ...args] = process.argv.slice(2)
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
server.once('exit', (code) => process.exit(code ?? 1))
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
// Signals of the terminal reach this process too; the parent decides when the server ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.resume().once('close', () => server.kill('SIGKILL'))
