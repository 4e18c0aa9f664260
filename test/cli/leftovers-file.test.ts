import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leftoversFile } from '../../cli/leftovers-file.ts'
import type { Leftover } from '../../suites/harness/export/leftovers.ts'
import { temporaryFolder } from '../fixtures/touchstone.ts'

const manifest = {
  endpoints: {
    export: { url: 'http://user:s3cret@127.0.0.1:1', export: { session: '5e000000-0000-4000-8000-000000000001' } },
  },
}
const schedule = (id: string): Leftover => ({ kind: 'schedule', endpoint: 'export', caller: 'usual', id })

test('writes a file without secrets while resources are left', async () => {
  const folder = await temporaryFolder()
  const leftovers = leftoversFile(folder, manifest)

  leftovers.update([schedule('a'), { kind: 'bucket', name: 'b' }])
  const text = await readFile(join(folder, 'leftovers.json'), 'utf8')
  expect(JSON.parse(text).leftovers).toHaveLength(2)
  expect(text).not.toContain('s3cret')
  expect(leftovers.advice()).toMatch(/^1 scheduled export could not be cancelled and 1 bucket could not be removed\./)

  leftovers.update([])
  expect(await readdir(folder)).toEqual([])
  expect(leftovers.advice()).toBeUndefined()
})

test('keeps the file of an earlier run', async () => {
  const folder = await temporaryFolder()
  leftoversFile(folder, manifest).update([schedule('of-first-run')])

  const second = leftoversFile(folder, manifest)
  second.update([schedule('of-second-run')])

  expect((await readdir(folder)).sort()).toEqual(['leftovers-2.json', 'leftovers.json'])
  expect(await readFile(join(folder, 'leftovers.json'), 'utf8')).toContain('of-first-run')
  expect(second.advice()).toContain('leftovers-2.json')
})
