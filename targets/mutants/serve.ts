import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutants } from './index.ts'
import { startMutant } from './start-mutant.ts'

// `npm run mutant -- ID [PORT]`: serves one mutant, to see the report of a server with its defect.

const usage = `Usage: npm run mutant -- ID [PORT] | --list [TEXT]

Serves the mock server with one defect, and prints the command that tests it.

  ID             the id of a mutant
  PORT           0 to 65535 (0, the default: a free port)
  --list [TEXT]  print the ids that contain TEXT, with their defects
`
const [id = '', port = '0'] = process.argv.slice(2)
const problem = id === '' ? 'the id of a mutant is missing' : (unknownId() ?? invalidPort())
if (['-h', '--help'].includes(id)) process.stdout.write(usage)
else if (id === '--list') list(process.argv[3] ?? '')
else if (problem === undefined) await serve()
else usageError(`${problem}\n${usage}`)

function list(text: string): void {
  for (const mutant of mutants.filter((each) => each.id.includes(text)))
    process.stdout.write(`${mutant.id}: ${mutant.defect}\n`)
}

async function serve(): Promise<void> {
  const mutant = mutants.find((each) => each.id === id)
  if (mutant === undefined) return
  try {
    const { endpoint, profile, close } = await startMutant(mutant, Number(port))
    const folder = await mkdtemp(join(tmpdir(), 'touchstone-mutant-'))
    const config = join(folder, 'touchstone.config.json')
    await writeFile(config, JSON.stringify({ endpoints: { [profile]: endpoint } }, null, 2))
    const command = `npx touchstone test --config ${config}${mutant.thorough ? ' --thorough' : ''}`
    process.stdout.write(`${mutant.defect}\nlistening on ${endpoint.url}\ntest it with: ${command}\n`)
    const end = async () => {
      await close()
      await rm(folder, { recursive: true })
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end)
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
