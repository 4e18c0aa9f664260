import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runCommand } from '../processes.ts'
import type { ThirdPartyServer } from './servers.ts'

/** Explains why a server is not available on this machine; undefined if it is installed with the current pins. */
export async function whyNotInstalled(server: ThirdPartyServer): Promise<string | undefined> {
  const installedPins = await readFile(stampFile(server), 'utf8').catch(() => undefined)
  if (installedPins === (await hashPins(server))) return undefined
  const state = installedPins === undefined ? 'not installed' : 'installed in other versions'
  return `${server.package} is ${state}: run npm run third-party -- --install`
}

/** Installs a server unless its current pins are installed. Throws with the reason and the remedy. */
export async function install(server: ThirdPartyServer): Promise<void> {
  if ((await whyNotInstalled(server)) === undefined) return
  await rm(server.installFolder, { recursive: true, force: true })
  for (const command of server.install) {
    await runCommand(command, dirname(server.installFolder)).catch((error: Error) => {
      throw new Error(`${server.package} cannot be installed. It requires ${server.requirements}. ${error.message}`)
    })
  }
  await writeFile(stampFile(server), await hashPins(server))
}

/** Path of a file that is written last, so that an aborted installation does not have it. */
function stampFile({ installFolder }: ThirdPartyServer): string {
  return join(installFolder, '.pins')
}

async function hashPins({ pins }: ThirdPartyServer): Promise<string> {
  const hash = createHash('sha256')
  for (const file of pins) hash.update(await readFile(file))
  return hash.digest('hex')
}
