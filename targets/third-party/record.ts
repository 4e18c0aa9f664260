import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { formats } from '../../reporters/index.ts'
import type { Report } from '../../reporters/model/report.ts'
import { packageRoot } from '../../suites/runner/package-root.ts'
import { observed } from './observed.ts'
import type { Peer } from './peer.ts'

/** Keeps what a peer did: its observations beside its baseline, and the report, compressed, for tests. */
export async function record(peer: Peer, report: Report): Promise<readonly string[]> {
  const observations = join('targets/third-party', peer.name, 'observed.json')
  await writeFile(join(packageRoot, observations), `${JSON.stringify(observed(peer.server, report), undefined, 2)}\n`)
  const fixture = join('test/fixtures/reports', `${peer.name}.json.gz`)
  const packed = await promisify(gzip)(formats.json(report), { level: constants.Z_BEST_COMPRESSION })
  await writeFile(join(packageRoot, fixture), packed)
  return [observations, fixture]
}
