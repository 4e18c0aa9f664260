import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { install, whyNotInstalled } from '../../../targets/third-party/install.ts'
import { langgraphPy, type ThirdPartyServer } from '../../../targets/third-party/servers.ts'
import { temporaryFolder } from '../../fixtures/touchstone.ts'

/** The Python server with other pins in a temporary folder, installed by `command`. */
async function serverInstalledBy(command: ThirdPartyServer['install'][number]): Promise<ThirdPartyServer> {
  const folder = await temporaryFolder()
  const pins = join(folder, 'pins.txt')
  await writeFile(pins, 'a-server==1.0.0')
  return { ...langgraphPy, installFolder: join(folder, 'installed'), pins: [pins], install: [command] }
}

test('reports why a server cannot be installed and what it requires', async () => {
  const missing = await serverInstalledBy(['touchstone-no-such-program'])

  await expect(install(missing)).rejects.toThrow(
    /^langgraph-api 0.16.7 cannot be installed. It requires Python .* touchstone-no-such-program/,
  )
  expect(await whyNotInstalled(missing)).toBe(
    'langgraph-api 0.16.7 is not installed: run npm run third-party -- --install',
  )
})

test('treats a failed installation as not installed', async () => {
  const failing = await serverInstalledBy([
    process.execPath,
    '-e',
    'console.error("no route to the index"); process.exit(1)',
  ])

  await expect(install(failing)).rejects.toThrow('no route to the index')
  expect(await whyNotInstalled(failing)).toContain('is not installed')
})

test('installs a server again when its pins change', async () => {
  const server = await serverInstalledBy([process.execPath, '-e', 'require("node:fs").mkdirSync("installed")'])
  await install(server)
  expect(await whyNotInstalled(server)).toBeUndefined()

  await mkdir(join(server.installFolder, 'old-version'))
  await writeFile(server.pins[0] ?? '', 'a-server==2.0.0')

  expect(await whyNotInstalled(server)).toContain('installed in other versions')
  await install(server)
  expect(await whyNotInstalled(server)).toBeUndefined()
})
