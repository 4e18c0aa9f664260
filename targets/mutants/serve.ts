import { mutants } from './index.ts'
import { startMutant } from './start-mutant.ts'

// `npm run mutant -- ID [PORT]`: serves one mutant, to see the report of a server with its defect.

const usage =
  'Usage: npm run mutant -- ID [PORT]; ID is the id of a mutant, PORT is 0 to 65535 (0, the default: a free port)'
const [id = '', port = '0'] = process.argv.slice(2)
const problem = id === '' ? 'the id of a mutant is missing' : (unknownId() ?? invalidPort())
if (problem === undefined) await serve()
else usageError(`${problem}\n${usage}`)

async function serve(): Promise<void> {
  const mutant = mutants.find((each) => each.id === id)
  if (mutant === undefined) return
  try {
    const { endpoint, close } = await startMutant(mutant, Number(port))
    process.stdout.write(`${mutant.defect}\nlistening on ${endpoint.url}\n`)
    process.once('SIGINT', () => void close())
    process.once('SIGTERM', () => void close())
  } catch (error) {
    usageError(error instanceof Error ? error.message : String(error))
  }
}

function unknownId(): string | undefined {
  const ids = mutants.map((mutant) => mutant.id)
  if (ids.includes(id)) return undefined
  const similar = similarIds(ids)
  return `unknown mutant ${JSON.stringify(id)}${similar.length > 0 ? `; similar ids:\n  ${similar.join('\n  ')}` : ''}`
}

/** The ids that contain the text, or else those that share the longest dotted prefix with it. */
function similarIds(ids: readonly string[]): string[] {
  const containing = ids.filter((each) => each.includes(id))
  if (containing.length > 0) return containing
  const segments = id.split('.')
  for (let count = segments.length - 1; count > 0; count -= 1) {
    const prefix = `${segments.slice(0, count).join('.')}.`
    const matches = ids.filter((each) => each.startsWith(prefix))
    if (matches.length > 0) return matches
  }
  return []
}

function invalidPort(): string | undefined {
  if (/^\d+$/.test(port) && Number(port) <= 65_535) return undefined
  return `PORT: expected an integer from 0 to 65535, received ${JSON.stringify(port)}`
}

function usageError(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}
