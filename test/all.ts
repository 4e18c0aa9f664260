import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { keepCoresBusy } from '../targets/processes.ts'

// `npm run test:all`: the fast tests and the slow ones, with coverage. `--busy` keeps every core busy during the run.
// `--no-coverage` skips the coverage. All other options go to Vitest.

const options = process.argv.slice(2)
const stopBusyCores = options.includes('--busy') ? keepCoresBusy() : async () => {}
const coverage = options.includes('--no-coverage') ? [] : ['--coverage']
const others = options.filter((option) => !['--busy', '--no-coverage'].includes(option))
const forVitest = ['--project', 'slow', ...coverage, ...others]
const [code] = await once(spawn('npm', ['test', '--', ...forVitest], { stdio: 'inherit' }), 'close')
await stopBusyCores()
process.exitCode = code ?? 1
