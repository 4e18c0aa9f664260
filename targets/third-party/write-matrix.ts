import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { matrixFiles } from '../../reporters/html/matrix.ts'
import { emptyMatrix, withReport } from '../../reporters/matrix/matrix.ts'
import { readReport } from '../../reporters/model/read.ts'
import { thirdPartyServers } from './servers.ts'

/** Compares the last reports of all third-party servers in a folder. Returns the paths of the files, none without a report. */
export async function writeMatrix(folder: string): Promise<string[]> {
  let matrix = emptyMatrix
  for (const { name } of thirdPartyServers) {
    const file = join(folder, name, 'report.json')
    const text = await readFile(file, 'utf8').catch(() => undefined)
    if (text !== undefined) matrix = withReport(matrix, readReport(text, file), { page: `${name}/report.html` })
  }
  if (matrix.servers.length === 0) return []
  const files = Object.entries(matrixFiles(matrix)).map(([name, text]) => [join(folder, name), text] as const)
  await Promise.all(files.map(([path, text]) => writeFile(path, text)))
  return files.map(([path]) => path)
}
