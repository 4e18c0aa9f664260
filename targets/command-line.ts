import { availableParallelism } from 'node:os'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

/** Parses the options of an npm script. Returns undefined if they are wrong or ask for help, which it prints. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  script: string,
  usage: string,
  options: Options,
) {
  try {
    if (process.argv.includes('--help')) return void process.stdout.write(usage)
    return parseArgs({ options }).values
  } catch (error) {
    return usageError(script, error instanceof Error ? error.message : String(error))
  }
}

export function usageError(script: string, message: string): undefined {
  process.stderr.write(`${message}; see npm run ${script} -- --help\n`)
  process.exitCode = 2
}

/** Runs a file in one worker for each core, each with a share of the work, and returns what the workers post. */
export async function runShares<Result>(
  file: string,
  shareOf: (index: number, count: number) => unknown,
): Promise<readonly Result[]> {
  const count = availableParallelism()
  const runShare = (index: number) =>
    new Promise<Result[]>((resolve, reject) => {
      const results: Result[] = []
      const worker = new Worker(new URL(file), { workerData: shareOf(index, count) })
      worker.on('message', (result: Result) => results.push(result))
      worker.on('error', reject)
      worker.on('exit', (code) => (code === 0 ? resolve(results) : reject(new Error('a worker ended early'))))
    })
  return (await Promise.all(Array.from({ length: count }, (_, index) => runShare(index)))).flat()
}
