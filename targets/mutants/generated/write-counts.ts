import { writeFile } from 'node:fs/promises'
import { renderCounts } from '../../counts.ts'
import { summarizeResults } from './results.ts'
import type { MutationResult } from './test-mutation.ts'

/** Writes a module with the results of all generated mutants, which the list of requirements and the docs show. */
export async function writeGeneratedCounts(results: readonly MutationResult[]): Promise<void> {
  const file = new URL('../../../suites/catalog/generated/generated-mutants.ts', import.meta.url)
  await writeFile(file, renderGeneratedCounts(results))
}

function renderGeneratedCounts(results: readonly MutationResult[]): string {
  const killed = results.filter(({ result }) => result === 'killed')
  const { killed: number, equivalent, survived } = summarizeResults(results)
  const survivors = results.filter(({ result }) => result === 'survived').map(({ id }) => `  '${id}',\n`)
  return `// Written by "npm run generated-mutants -- --all --record".

/** The number of generated mutants by result. */
export const generatedMutants = { killed: ${number}, equivalent: ${equivalent}, survived: ${survived} }

/** The generated mutants that no requirement detects. */
export const survivingMutants: readonly string[] = [
${survivors.sort().join('')}]

/** The number of generated mutants that fail each requirement and are shown in its evidence, by the last name of its id. */
export const generatedMutantCounts: Readonly<Record<string, Readonly<Record<string, number>>>> = {
${renderCounts(killed.flatMap(({ shown }) => shown))}}
`
}
