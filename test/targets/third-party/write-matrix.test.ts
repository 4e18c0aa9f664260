import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { renderJson } from '../../../reporters/json.ts'
import { writeMatrix } from '../../../targets/third-party/write-matrix.ts'
import { recordedReport } from '../../fixtures/recorded-report.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

test('compares the servers that have a report in the folder', async () => {
  const folder = await temporaryFolder()
  expect(await writeMatrix(folder)).toEqual([])

  await mkdir(join(folder, 'langgraph-py'))
  await writeFile(join(folder, 'langgraph-py/report.json'), renderJson(await recordedReport('langgraph-py')))
  const paths = await writeMatrix(folder)

  expect(paths).toEqual([join(folder, 'matrix.html'), join(folder, 'matrix.json')])
  const { servers } = JSON.parse(await readFile(join(folder, 'matrix.json'), 'utf8'))
  expect(servers).toMatchObject([{ name: 'langgraph-api', page: 'langgraph-py/report.html' }])
})
