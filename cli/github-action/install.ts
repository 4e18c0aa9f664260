// The step "Install Touchstone" of action.yml. Its output `bin` is the path of the command.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setOutputs } from './github.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
const { TOUCHSTONE_VERSION: version = '', RUNNER_TEMP: temporary = root } = process.env

if (version === '') {
  // An earlier step of the same job may have installed it.
  if (!existsSync(join(root, 'node_modules/undici'))) npm(root, 'ci', '--omit=dev', '--ignore-scripts')
  setOutputs(process.env, { bin: join(root, 'cli/bin/touchstone.js') })
} else if (/^[\w.^~-]+$/.test(version)) {
  const folder = join(temporary, 'touchstone')
  mkdirSync(folder, { recursive: true })
  // Without a package.json in this folder, npm installs into a parent folder that has one.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(folder, 'install', '--no-save', '--ignore-scripts', `touchstone@${version}`)
  setOutputs(process.env, { bin: join(folder, 'node_modules/touchstone/cli/bin/touchstone.js') })
} else {
  process.stderr.write(`version: expected a version or a tag such as 0.1.0 or latest, received ${version}\n`)
  process.exitCode = 2
}

function npm(cwd: string, ...args: string[]): void {
  // On Windows, npm is a shell script.
  const options = { cwd, stdio: 'inherit', shell: process.platform === 'win32' } as const
  const { status } = spawnSync('npm', [...args, ...quiet], options)
  if (status !== 0) process.exit(status ?? 2)
}
