import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'

/** The variables that the runner sets for a step. */
type Environment = Readonly<NodeJS.ProcessEnv>

/** Sets outputs of the step. */
export function setOutputs(env: Environment, outputs: Readonly<Record<string, string | number>>): void {
  const lines = Object.entries(outputs).map(([name, value]) => {
    // A fresh delimiter: no value can end itself early and set another output.
    const delimiter = `end-${randomUUID()}`
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`
  })
  append(env, 'GITHUB_OUTPUT', lines.join(''))
}

/** Adds Markdown to the summary of the job. */
export function addSummary(env: Environment, markdown: string): void {
  append(env, 'GITHUB_STEP_SUMMARY', `${markdown}\n`)
}

/** A line that shows as an error beside the log. */
export function errorLine(title: string, message: string): string {
  return `::error title=${escaped(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escaped(message)}\n`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function append(env: Environment, variable: string, text: string): void {
  const file = env[variable]
  if (file) appendFileSync(file, text)
}
