import { mutants } from './catalogue.ts'
import { startMutant } from './start-mutant.ts'

// `npm run mutant -- ID [PORT]`: serves one mutant, to read what a maintainer reads when a server has that defect.
const [id = '', port = '0'] = process.argv.slice(2)
const mutant = mutants.find((one) => one.id === id)
if (mutant) {
  const { endpoint, close } = await startMutant(mutant, Number(port))
  process.stdout.write(`${mutant.defect}\nlistening on ${endpoint.url}\n`)
  process.once('SIGINT', () => void close())
  process.once('SIGTERM', () => void close())
} else {
  const near = mutants.map((one) => one.id).filter((one) => id !== '' && one.includes(id))
  process.stderr.write(
    `no mutant "${id}"; ${near.length > 0 ? `there are ${near.join(', ')}` : 'mutants/ has all of them'}\n`,
  )
  process.exitCode = 2
}
