import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { install, whyNotInstalled } from '../../../targets/third-party/install.ts'
import { langgraphPy } from '../../../targets/third-party/langgraph-py.ts'
import type { Peer } from '../../../targets/third-party/peer.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

/** The Python server with other pins in a folder of its own; `program` stands for its installation. */
async function peer(program: Peer['install'][number]): Promise<Peer> {
  const folder = await temporaryFolder()
  const pins = join(folder, 'pins.txt')
  await writeFile(pins, 'a-server==1.0.0')
  return { ...langgraphPy, installed: join(folder, 'installed'), pins: [pins], install: [program] }
}

test('what cannot be installed is told with the reason and the remedy', async () => {
  const missing = await peer(['touchstone-no-such-program'])

  await expect(install(missing)).rejects.toThrow(
    /^langgraph-api 0.16.7 cannot be installed; it needs Python .* touchstone-no-such-program/,
  )
  expect(await whyNotInstalled(missing)).toBe('langgraph-api 0.16.7 is not installed: npm run peers -- --install')
})

test('an installation that fails counts as none', async () => {
  const failing = await peer([process.execPath, '-e', 'console.error("no route to the index"); process.exit(1)'])

  await expect(install(failing)).rejects.toThrow('no route to the index')
  expect(await whyNotInstalled(failing)).toContain('is not installed')
})

test('what is installed is installed again once its pins have changed', async () => {
  const one = await peer([process.execPath, '-e', 'require("node:fs").mkdirSync("installed")'])
  await install(one)
  expect(await whyNotInstalled(one)).toBeUndefined()

  await mkdir(join(one.installed, 'of-the-old-version'))
  await writeFile(one.pins[0] ?? '', 'a-server==2.0.0')

  expect(await whyNotInstalled(one)).toContain('installed in other versions')
  await install(one)
  expect(await whyNotInstalled(one)).toBeUndefined()
})
