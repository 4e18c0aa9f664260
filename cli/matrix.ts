import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { Command } from 'commander'
import { matrixFiles } from '../reporters/html/matrix.ts'
import { emptyMatrix, labelOf, type Matrix, withReport } from '../reporters/matrix/matrix.ts'
import { ReportError } from '../reporters/model/parse.ts'
import { plural } from '../reporters/model/text.ts'
import { openFile } from './open-file.ts'
import { loadReport, reasonOf } from './report-file.ts'
import { orUsageError } from './usage.ts'

const help = `
Compares the reports of several servers, or of several versions of a server, in one page: servers as columns, requirements
as rows, with what failed, what was observed where the specification is silent, and the first version that passes. The page
has no external files; a reader can add a report of their own, which stays in the browser.

Writes matrix.html and matrix.json. A report.html next to a report.json is linked if it is in or below the output folder.

Exit code: 0 the files were written, with any verdicts; 2 a file cannot be read or written, is not a report, or two reports
are of the same server.

Examples:
  $ touchstone matrix reports/*/report.json
  $ touchstone matrix 1.0/report.json 1.1/report.json --output site --open
`

interface MatrixOptions {
  output: string
  open?: true
}

/** The command `touchstone matrix`. */
export function matrixCommand(): Command {
  return new Command('matrix')
    .description('compare the reports of several servers in one page')
    .argument('<file...>', 'report.json of each server, or its folder')
    .option('--output <dir>', 'folder for matrix.html and matrix.json', 'reports')
    .option('--open', 'open the page in the browser')
    .addHelpText('after', help)
    .action((files: string[], options: MatrixOptions, command: Command) =>
      orUsageError(command, () => run(files, options)),
    )
}

async function run(paths: readonly string[], { output, open }: MatrixOptions): Promise<void> {
  const matrix = await load(paths, output)
  const files = Object.entries(matrixFiles(matrix)).map(([name, text]) => ({ path: join(output, name), text }))
  try {
    await mkdir(output, { recursive: true })
    await Promise.all(files.map(({ path, text }) => writeFile(path, text)))
  } catch (error) {
    throw new ReportError(`The matrix cannot be written to ${output}: ${reasonOf(error)}.`)
  }
  const [page = { path: '' }] = files
  process.stdout.write(`${plural(matrix.servers.length, 'server')}: ${files.map(({ path }) => path).join(', ')}\n`)
  if (open) openFile(page.path)
}

/** Reads one report after the other: a hundred of them do not fit into memory. */
async function load(paths: readonly string[], output: string): Promise<Matrix> {
  let matrix = emptyMatrix
  const sources = new Map<string, string>()
  for (const path of paths) {
    const report = await loadReport(path)
    const label = labelOf(report.target)
    const source = sources.get(label)
    if (source !== undefined) {
      throw new ReportError(
        `${path}: expected another server than ${source}, received ${label} again. Leave one out, or set another name or version in the configuration of its target.`,
      )
    }
    sources.set(label, path)
    matrix = withReport(matrix, report, await pageOf(path, output))
  }
  return matrix
}

/** The HTML report next to a report, if it can be published together with the matrix. */
async function pageOf(path: string, output: string): Promise<{ page?: string }> {
  const folder = path.endsWith('.json') ? dirname(path) : path
  const page = relative(output, join(folder, 'report.html'))
  if (page.startsWith('..') || isAbsolute(page)) return {}
  try {
    await access(join(output, page))
    return { page: page.split(sep).map(encodeURIComponent).join('/') }
  } catch {
    return {}
  }
}
