import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'

/** The environment variables that GitHub sets for a step. */
type Environment = Readonly<NodeJS.ProcessEnv>

/** Sets outputs of the step. */
export function setOutputs(env: Environment, outputs: Readonly<Record<string, string | number>>): void {
  const lines = Object.entries(outputs).map(([name, value]) => {
    // With a random delimiter, no value can end early and set another output.
    const delimiter = `end-${randomUUID()}`
    return `${name}<<${delimiter}\n${value}\n${delimiter}\n`
  })
  append(env, 'GITHUB_OUTPUT', lines.join(''))
}

/** Adds Markdown to the summary of the job. */
export function addSummary(env: Environment, markdown: string): void {
  append(env, 'GITHUB_STEP_SUMMARY', `${markdown}\n`)
}

/** Formats a line that GitHub shows as an error annotation of the job. */
export function errorAnnotation(title: string, message: string): string {
  return `::error title=${escapeData(title).replaceAll(':', '%3A').replaceAll(',', '%2C')}::${escapeData(message)}\n`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function append(env: Environment, variable: string, text: string): void {
  const file = env[variable]
  if (file) appendFileSync(file, text)
}
