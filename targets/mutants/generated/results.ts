import type { MutationResult } from './test-mutation.ts'

/** Numbers of mutations by result. */
interface ResultSummary extends Readonly<Record<MutationResult['result'], number>> {
  /** Those that were decided from the trace. */
  readonly offline: number
}

/** Counts results. */
export function summarizeResults(results: readonly MutationResult[]): ResultSummary {
  const number = (result: MutationResult['result']) => results.filter((each) => each.result === result).length
  return {
    killed: number('killed'),
    equivalent: number('equivalent'),
    survived: number('survived'),
    unfair: number('unfair'),
    unused: number('unused'),
    offline: results.filter(({ isOffline }) => isOffline).length,
  }
}

/** Renders each result and the summary; if `quiet`, only problems and the summary. */
export function renderResults(
  results: readonly MutationResult[],
  { killed, equivalent, survived, unfair, unused, offline }: ResultSummary,
  quiet: boolean,
  seconds: number,
): string {
  const lines = results
    .filter(({ result }) => !quiet || result === 'survived' || result === 'unfair')
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, result, shown, elsewhere }) => {
      const failed = shown.length > 0 ? `: ${shown.join(', ')}` : ''
      const others = shown.length === 0 && elsewhere.length > 0 ? ` (without evidence: ${elsewhere.join(', ')})` : ''
      return `${result}  ${id}${failed}${others}\n`
    })
  return `${lines.join('')}${offline} decided from the trace, ${results.length - offline} by a server, in ${seconds} s
${unused} change no response of the trace; ${unfair} fail a requirement although they conform to the specification
generated mutants: ${killed} killed, ${equivalent} equivalent, ${survived} survived
`
}
