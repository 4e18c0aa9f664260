import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { livingFile } from '../../cli/living-file.ts'
import type { Lasting } from '../../suites/harness/export/lasting.ts'
import { temporaryFolder } from '../fixtures/touchstone.ts'

const manifest = {
  endpoints: {
    export: { url: 'http://user:s3cret@127.0.0.1:1', export: { session: '5e000000-0000-4000-8000-000000000001' } },
  },
}
const schedule = (id: string): Lasting => ({ kind: 'schedule', endpoint: 'export', caller: 'usual', id })

test('there is a file as long as something lives, and it holds no secret', async () => {
  const folder = await temporaryFolder()
  const living = livingFile(folder, manifest)

  living.note([schedule('a'), { kind: 'bucket', name: 'b' }])
  const text = await readFile(join(folder, 'living.json'), 'utf8')
  expect(JSON.parse(text).lasting).toHaveLength(2)
  expect(text).not.toContain('s3cret')
  expect(living.advice()).toMatch(/^1 scheduled export could not be cancelled and 1 bucket could not be removed\./)

  living.note([])
  expect(await readdir(folder)).toEqual([])
  expect(living.advice()).toBeUndefined()
})

test('what an earlier run left is not forgotten by the next one', async () => {
  const folder = await temporaryFolder()
  livingFile(folder, manifest).note([schedule('of the first')])

  const second = livingFile(folder, manifest)
  second.note([schedule('of the second')])

  expect((await readdir(folder)).sort()).toEqual(['living-2.json', 'living.json'])
  expect(await readFile(join(folder, 'living.json'), 'utf8')).toContain('of the first')
  expect(second.advice()).toContain('living-2.json')
})
