import { mutants } from './catalogue.ts'
import { startMutant } from './start-mutant.ts'

// `npm run mutant -- ID [PORT]`: serves one mutant, to read what a maintainer reads when a server has that defect.
const usage = 'usage: npm run mutant -- ID [PORT]; ID is the id of a mutant, PORT is 0 to 65535 (0, the default: any)'
const [id = '', port = '0'] = process.argv.slice(2)
const problem = id === '' ? 'the id of a mutant is missing' : (unknownId() ?? badPort())
if (problem === undefined) await serve()
else refuse(`${problem}\n${usage}`)

async function serve(): Promise<void> {
  const mutant = mutants.find((one) => one.id === id)
  if (mutant === undefined) return
  try {
    const { endpoint, close } = await startMutant(mutant, Number(port))
    process.stdout.write(`${mutant.defect}\nlistening on ${endpoint.url}\n`)
    process.once('SIGINT', () => void close())
    process.once('SIGTERM', () => void close())
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error))
  }
}

function unknownId(): string | undefined {
  const ids = mutants.map((one) => one.id)
  if (ids.includes(id)) return undefined
  const near = nearIds(ids)
  return `there is no mutant ${JSON.stringify(id)}${near.length > 0 ? `; near it are:\n  ${near.join('\n  ')}` : ''}`
}

/** The ids that hold the text; where none does, those that begin with the most of its dotted words. */
function nearIds(ids: readonly string[]): string[] {
  const holding = ids.filter((one) => one.includes(id))
  if (holding.length > 0) return holding
  const words = id.split('.')
  for (let count = words.length - 1; count > 0; count -= 1) {
    const start = `${words.slice(0, count).join('.')}.`
    const beside = ids.filter((one) => one.startsWith(start))
    if (beside.length > 0) return beside
  }
  return []
}

function badPort(): string | undefined {
  if (/^\d+$/.test(port) && Number(port) <= 65_535) return undefined
  return `the port ${JSON.stringify(port)} is no whole number from 0 to 65535`
}

function refuse(words: string): void {
  process.stderr.write(`${words}\n`)
  process.exitCode = 2
}
