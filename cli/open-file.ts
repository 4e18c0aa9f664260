import { spawn } from 'node:child_process'

/** Opens a file with the program that the system uses for it. A system without one prints a sentence. */
export function openFile(file: string): void {
  const [command, ...args] =
    process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : [process.platform === 'darwin' ? 'open' : 'xdg-open']
  const program = process.env['BROWSER'] ?? command ?? ''
  const child = spawn(program, program === command ? [...args, file] : [file], { detached: true, stdio: 'ignore' })
  child.on('error', () => process.stderr.write(`--open: no browser was found. Open ${file} yourself.\n`))
  child.unref()
}
