import { spawn } from 'node:child_process'

// Usage: node keeper.ts PROGRAM ARGUMENT… Runs a server until standard input ends: also when the caller is killed.

const [program = '', ...args] = process.argv.slice(2)
const server = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
server.once('exit', (code) => process.exit(code ?? 1))
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
// A signal of the terminal reaches this process too; the caller decides when the server ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.resume().once('close', () => server.kill('SIGKILL'))
