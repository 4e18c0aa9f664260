import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFauxqs } from 'fauxqs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Listening, listen } from '../../mock-server/adapters/node.ts'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { changeAt, changeResponse } from '../../targets/wrappers/routes.ts'
import { copyCheckout } from '../fixtures/package.ts'
import { bare, type Command, commandsOf, shells } from './commands.ts'
import { type Elsewhere, elsewhere } from './elsewhere.ts'
import { type Block, blocksOf, checkout, pages } from './pages.ts'
import { createReader, type Reader } from './reader.ts'

// Several complete test runs per page, which mostly wait.
vi.setConfig({ maxConcurrency: 3 })

/** What a page needs before its first block. */
interface Setting {
  readonly inCheckout?: boolean
  /** A server with a known failure listens on port 2024 instead of a conforming one. */
  readonly gateway?: boolean
  readonly files?: Readonly<Record<string, string>>
  /** Test runs that the page assumes, with any verdict. */
  readonly earlier?: readonly string[]
}

const failed = "npx touchstone test --deployment-url http://127.0.0.1:2024 --id 'thread.fields.*' --report"
const testGraphsConfig = await readFile(join(checkout, 'fixtures/test-graphs/touchstone.config.json'), 'utf8')
const settings: Readonly<Record<string, Setting>> = {
  'README.md': { inCheckout: true },
  'docs/contributing/adding-a-check.md': { inCheckout: true },
  'docs/guides/baselines.md': { gateway: true },
  'docs/guides/continuous-integration.md': { files: { 'known-failures.json': '{}' } },
  'docs/guides/compare-and-replay.md': { gateway: true, earlier: [`${failed} before`, `${failed} reports`] },
  'docs/guides/read-the-report.md': { earlier: [`${failed} reports`] },
  'docs/guides/deploy-test-graphs.md': { files: { 'touchstone.config.json': testGraphsConfig } },
}

const blocks = (await Promise.all((await pages()).map(blocksOf))).flat()
const scripts = blocks.filter(({ language }) => shells.has(language))
const commands = new Map(scripts.map((block) => [block, commandsOf(block)]))
const open: { close: () => Promise<unknown> }[] = []
let folder: string
let shared: string
let ports: { sound: number; guarded: number; gateway: number; bucket: number }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-docs-'))
  shared = await copyCheckout(join(folder, 'touchstone'))
  const store = await startFauxqs({ port: 0, logger: false })
  store.createBucket('exports')
  open.push({ close: () => store.stop() })
  const mock = createMockServer()
  const tracing = changeResponse({ method: 'POST', path: '/threads' }, (thread) => {
    changeAt(thread, ['metadata'], () => ({ trace_id: 'of-the-gateway' }))
    return thread
  })
  const servers = [mock, createMockServer({ auth: testGraphsAuth }), { handle: tracing(mock.handle) }]
  const [sound, guarded, gateway] = await Promise.all(servers.map((server) => listen(server, { port: 0 })))
  ports = { sound: portOf(sound), guarded: portOf(guarded), gateway: portOf(gateway), bucket: store.port }
})

function portOf(server: Listening | undefined): number {
  if (server) open.push(server)
  return Number(new URL(server?.url ?? '').port)
}

afterAll(async () => {
  await Promise.all(open.map((server) => server.close()))
  await rm(folder, { recursive: true, force: true })
})

/** Follows a page from its first to its last block. */
async function follow(page: string, reader: Reader): Promise<void> {
  const { files = {}, earlier = [] } = settings[page] ?? {}
  for (const [name, text] of Object.entries(files)) await reader.write(name, text)
  for (const command of earlier) await reader.prepare(command)
  for (const block of blocks.filter((each) => each.page === page)) {
    await reader.startBlock()
    if (block.meta['file'] !== undefined) await reader.write(block.meta['file'], block.text)
    if (block.meta['insert'] !== undefined) await reader.insert(block)
    for (const command of here(block)) await reader.run(command)
  }
}

/** The commands of a block that this test runs. */
function here(block: Block): Command[] {
  return (commands.get(block) ?? []).filter(
    (command) => !elsewhere.some((entry) => isEntryOf(entry, block.page, command.text)),
  )
}

function isEntryOf(entry: Elsewhere, page: string, text: string): boolean {
  return entry.page === page && entry.command === bare(text)
}

const withCommands = [...new Set(blocks.filter((block) => here(block).length > 0).map(({ page }) => page))]

test.concurrent.for(withCommands)('the commands of %s work as shown', async (page) => {
  const { inCheckout = false, gateway = false } = settings[page] ?? {}
  const own = join(folder, page.replaceAll('/', '-'))
  const reader = await createReader({
    folder: own,
    checkout: inCheckout ? await copyCheckout(join(own, 'checkout')) : shared,
    inCheckout,
    ports: { 2024: gateway ? ports.gateway : ports.sound, 2025: ports.guarded, 9000: ports.bucket },
  })
  try {
    await follow(page, reader)
  } finally {
    await reader.close()
  }
})

test('every command is run here or by another test', async () => {
  const others = [...commands].flatMap(([block, all]) =>
    all
      .filter((command) => !here(block).includes(command))
      .map(({ text }) => ({ page: block.page, command: bare(text) })),
  )

  expect(scripts.length).toBeGreaterThan(25)
  expect(scripts.filter((block) => commands.get(block)?.length === 0).map(({ at }) => at)).toEqual([])
  const table = elsewhere.map(({ page, command }) => ({ page, command }))
  expect(table.toSorted(byCommand)).toEqual(others.toSorted(byCommand))
})

function byCommand(one: { page: string; command: string }, other: { page: string; command: string }): number {
  return `${one.page} ${one.command}`.localeCompare(`${other.page} ${other.command}`)
}

test.for(elsewhere)('$page: `$command` is run by $by.0', async ({ by: [file, text] }) => {
  expect(await readFile(join(checkout, file), 'utf8')).toContain(text)
})
