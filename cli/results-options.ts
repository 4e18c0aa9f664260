import type { Command } from 'commander'

/** Options of a command that prints results and writes report files. */
export interface ResultsOptions {
  /** Folder of the report files. */
  readonly report: string
  readonly verbose?: true | undefined
  readonly open?: true | undefined
}

/** Adds the options of the output to a command. */
export function withResultsOptions(command: Command): Command {
  return command
    .optionsGroup('Output:')
    .option('--report <dir>', 'folder for the reports', 'reports')
    .option('--verbose', 'print all details and all ids')
    .option('--open', 'open the HTML report in the browser')
}
