import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Peer } from './peer.ts'
import { runCommand } from './run-command.ts'

/** Why a peer cannot be had on this machine; undefined where it is installed, with the pins as they are now. */
export async function whyNotInstalled(peer: Peer): Promise<string | undefined> {
  const stamp = await readFile(stampOf(peer), 'utf8').catch(() => undefined)
  if (stamp === (await pinned(peer))) return undefined
  return `${peer.server} is ${stamp === undefined ? 'not installed' : 'installed in other versions'}: npm run peers -- --install`
}

/** Installs a peer where its pins are not installed yet; throws with the reason and the remedy where that cannot be done. */
export async function install(peer: Peer): Promise<void> {
  if ((await whyNotInstalled(peer)) === undefined) return
  await rm(peer.installed, { recursive: true, force: true })
  for (const command of peer.install) {
    await runCommand(command, dirname(peer.installed)).catch((error: Error) => {
      throw new Error(`${peer.server} cannot be installed; ${peer.remedy}. ${error.message}`)
    })
  }
  await writeFile(stampOf(peer), await pinned(peer))
}

/** Written last: an installation that was broken off has none. */
function stampOf(peer: Peer): string {
  return join(peer.installed, '.pins')
}

async function pinned(peer: Peer): Promise<string> {
  const hash = createHash('sha256')
  for (const file of peer.pins) hash.update(await readFile(file))
  return hash.digest('hex')
}
