import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { modeledDialects } from '../../../targets/third-party/modeled-dialects.ts'
import { readRecorded } from '../../../targets/third-party/observations.ts'
import { observeDialects, observeExports } from '../../../targets/third-party/observe-mock-server.ts'
import { pageFile, renderPage, unspecifiedRequirements } from '../../../targets/third-party/unspecified.ts'

const dialects = await observeDialects()
const exports = await observeExports()
const ids = unspecifiedRequirements('deployment').map(({ id }) => id)

test('the page of unspecified behavior is up to date with `npm run unspecified`', async () => {
  expect(await readFile(pageFile, 'utf8')).toBe(await renderPage(dialects, exports))
})

test.each(dialects)('$name is observed on every point of the deployment API', ({ observed }) => {
  expect(ids.filter((id) => observed[id] === undefined)).toEqual([])
})

test('the mock server is observed on every point of the bulk export API', () => {
  const exportIds = unspecifiedRequirements('export').map(({ id }) => id)
  expect(exportIds.filter((id) => exports.observed[id] === undefined)).toEqual([])
})

test.each(modeledDialects)('$dialect behaves like $server except for its listed differences', async (modeled) => {
  const ofDialect = dialects.find(({ name }) => name === modeled.dialect)?.observed ?? {}
  const ofServer = (await readRecorded(modeled.server)).observed
  const different = ids.filter((id) => JSON.stringify(ofDialect[id]) !== JSON.stringify(ofServer[id]))

  const listed = Object.keys(modeled.differences)
  const pairs = (of: readonly string[]) => of.map((id) => ({ id, dialect: ofDialect[id], server: ofServer[id] }))
  expect(pairs(different.filter((id) => !listed.includes(id)))).toEqual([])
  expect(pairs(listed.filter((id) => !different.some((each) => each === id)))).toEqual([])
})
