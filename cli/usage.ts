import { type Command, InvalidArgumentError } from 'commander'
import { ReportError } from '../reporters/model/parse.ts'
import { UsageError } from '../suites/values/usage-error.ts'

/** Runs the action of a command. A usage error becomes one message and exit code 2, without a stack trace. */
export async function orUsageError(command: Command, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ReportError)) throw error
    command.error(`error: ${error.message}`, { exitCode: 2 })
  }
}

/** Parses the value of an option as a whole number of at least 1. */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return number
  throw new UsageError(`${option}: expected a whole number of at least 1, received ${text}.`)
}

/** Returns a parser of the value of an option as a whole number within bounds. */
export function wholeNumberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d+$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}

/** Parses the value of an option as a number of seconds, up to a day. */
export function seconds(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= 86_400) return number
  throw new InvalidArgumentError('Expected a number of seconds from 0 to 86400.')
}
