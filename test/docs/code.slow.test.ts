import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { traceRecords } from '../../mock-server/export/schemas/trace.ts'
import { checkScenario } from '../../mock-server/scripting/scenario.ts'
import { catalog } from '../../suites/catalog/catalog.ts'
import { parseBaseline } from '../../suites/evaluate/baseline.ts'
import { validateManifest } from '../../suites/runner/manifest-file.ts'
import { readOptions } from '../../targets/third-party/options.ts'
import { executablePath, noChromium } from '../fixtures/chromium.ts'
import { startNode, temporaryFolder } from '../fixtures/touchstone.ts'
import { bare, commandsOf, shells } from './commands.ts'
import { blocksOf, checkout, pages } from './pages.ts'

const blocks = (await Promise.all((await pages()).map(blocksOf))).flat()
const of = (language: string) => blocks.filter((block) => block.language === language)
const typescript = [...of('ts'), ...of('tsx')]
const modules = typescript.filter(({ meta }) => meta['insert'] === undefined && meta['excerpt'] === undefined)
/** The browser that a block starts is the one of this machine. */
const browser = `chromium.launch({ executablePath: ${JSON.stringify(executablePath)} })`

test('every block has a tested language', () => {
  // Python runs in python.slow.test.ts, and filters in `text` are read in test/export/filter/docs.test.ts; other text, and
  // Markdown, is there to be looked at.
  const tested = new Set([...shells, 'ts', 'tsx', 'python', 'json', 'yaml', 'text', 'md', 'mermaid'])

  expect(blocks.length).toBeGreaterThan(50)
  expect(blocks.filter(({ language }) => !tested.has(language)).map(({ at }) => at)).toEqual([])
})

test('every attribute of a block is known', () => {
  const known = new Set(['file', 'insert', 'before', 'after', 'excerpt', 'needs'])

  const unknown = blocks.filter(({ meta }) => Object.keys(meta).some((name) => !known.has(name)))
  expect(unknown.map(({ at }) => at)).toEqual([])
})

test('every TypeScript block compiles and runs', async () => {
  const folder = await temporaryFolder()
  const packages = join(checkout, 'node_modules')
  await mkdir(join(folder, 'node_modules'))
  await symlink(checkout, join(folder, 'node_modules/touchstone'))
  for (const name of ['@langchain', '@types', 'msw', 'playwright-core', 'react', 'react-dom', 'undici', 'vitest']) {
    await symlink(join(packages, name), join(folder, 'node_modules', name))
  }
  await cp(join(checkout, 'tsconfig.json'), join(folder, 'strict.json'))
  const settings = {
    extends: './strict.json',
    compilerOptions: {
      isolatedDeclarations: false,
      declaration: false,
      noUnusedLocals: false,
      lib: ['es2024', 'dom', 'dom.iterable'],
      jsx: 'react-jsx',
    },
    include: ['blocks'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await mkdir(join(folder, 'blocks'))
  const files = modules.map(({ at, text, meta, language }) => {
    const isTest = /\.test\.tsx?$/.test(meta['file'] ?? '')
    const file = join(folder, 'blocks', `${at.replaceAll(/\W+/g, '-')}${isTest ? '.test' : ''}.${language}`)
    const runs = meta['needs'] !== 'chromium' || noChromium === undefined
    return { file, text: text.replace('chromium.launch()', browser), isTest, runs }
  })
  await Promise.all(files.map(({ file, text }) => writeFile(file, text)))

  const checked = await startNode([join(packages, 'typescript/bin/tsc'), '-p', folder]).ended
  expect(checked.stdout).toBe('')

  const running = files.filter(({ runs }) => runs)
  const tests = running.filter(({ isTest }) => isTest).map(({ file }) => file)
  const programs = running.filter(({ isTest }) => !isTest).map(({ file }) => [file])
  const commands = [[join(packages, 'vitest/vitest.mjs'), 'run', '--root', folder, ...tests], ...programs]
  const runs = await Promise.all(
    commands.map(async (args) => ({ args, ...(await startNode(args, { env: { VITEST: undefined } }).ended) })),
  )
  expect(runs.filter(({ code }) => code !== 0)).toEqual([])
  expect(runs.length).toBeGreaterThan(5)
})

test('every excerpt is in its source file', async () => {
  for (const { at, text, meta } of typescript.filter(({ meta }) => meta['excerpt'] !== undefined)) {
    expect(await readFile(join(checkout, meta['excerpt'] ?? ''), 'utf8'), at).toContain(text)
  }
})

test.for(of('json'))('$at is accepted by its reader', ({ at, text }) => {
  const value: Record<string, unknown> = JSON.parse(text)

  if ('endpoints' in value) validateManifest(value, at)
  else if ('records' in value) traceRecords.parse(value)
  else if ('exports' in value || Object.values(Object(value['graphs'])).some((graph) => typeof graph !== 'string'))
    checkScenario(value)
  // A deployment configuration file: the commands of its page start a server with it.
  else if ('graphs' in value)
    expect(blocks.some((block) => block.text.includes('serve --port 2024 --config'))).toBe(true)
  else expect(Object.keys(parseBaseline(text, at, new Set(catalog.map(({ id }) => id))))).not.toEqual([])
})

test.for(of('yaml'))('$at is YAML', ({ text }) => {
  expect(parse(text)).toBeTypeOf('object')
})

test('the options of `npm run third-party` on the pages are valid', () => {
  const commands = blocks.filter(({ language }) => shells.has(language)).flatMap(commandsOf)
  const words = commands.flatMap(
    ({ text }) => /^npm run third-party(?: -- (.*))?$/.exec(bare(text))?.[1]?.split(' ') ?? [],
  )
  const options = readOptions(['node', 'run.ts', ...words])

  expect(options).toMatchObject({ repeat: 5, busy: true, record: true, servers: [{ name: 'langgraph-js' }] })
})
