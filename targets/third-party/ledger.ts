import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dialects } from '../../mock-server/deployment/dialects/index.ts'
import { type Implementation, isAlike, renderLedger } from '../../reporters/ledger.ts'
import { register } from '../../suites/catalog/catalog.ts'
import type { Area, Requirement } from '../../suites/catalog/requirement.ts'
import { packageRoot } from '../../suites/runner/package-root.ts'
import { peers } from './all.ts'
import { observeDialect } from './dialects.ts'
import { likenesses } from './differences.ts'
import type { Observed } from './observed.ts'
import type { Peer } from './peer.ts'

/** The page that `npm run ledger` writes. */
export const ledgerFile: string = join(packageRoot, 'docs/reference/unspecified-behavior.md')

/** Observes every dialect of the mock server. */
export function observeDialects(): Promise<readonly Implementation[]> {
  return Promise.all(Object.values(dialects).map(({ name }) => observeDialect(name)))
}

/** The points of an area that the document leaves open and that can be observed. */
export function openPoints(of: Area): readonly Requirement[] {
  return register.filter(({ level, excluded, area }) => level === 'OPEN' && excluded === undefined && area === of)
}

/** What was recorded of a peer. */
export async function recordedOf(name: Peer['name']): Promise<Observed> {
  return JSON.parse(await readFile(join(packageRoot, 'targets/third-party', name, 'observed.json'), 'utf8'))
}

/** The page as it should be. */
export async function ledgerPage(ofDialects: readonly Implementation[], ofExports: Implementation): Promise<string> {
  const recorded = await Promise.all(peers.map(async ({ name }) => ({ name, ...(await recordedOf(name)) })))
  const all = [...ofDialects, ...recorded]
  const points = openPoints('deployment')
  const alike = points.filter((point) => isAlike(point, all)).length
  const servers = recorded.map(
    ({ name, server }) => `| \`${name}\` | \`${server}\`, recorded by \`npm run peers -- --record\` |`,
  )
  const differences = likenesses.flatMap(({ dialect, peer, differences }) =>
    Object.entries(differences).map(([id, reason]) => `| \`${dialect}\` | \`${peer}\` | \`${id}\` | ${reason} |`),
  )
  return `# The ledger of silence

Written by \`npm run ledger\`; do not edit. Where the document is silent, servers differ, and none of them is wrong: these
points are observed, never judged. The ledger says what five implementations were observed to do, so that a client can be
written that works with all of them. On ${points.length - alike} of ${points.length} points they differ.

| name | implementation |
| --- | --- |
| \`document\`, \`agent-server\`, \`js-dev\` | the [mock server](../guides/mock-server.md#dialects) in this dialect |
${servers.join('\n')}

\`=\` marks a point on which all do the same, \`≠\` one on which they differ. An answer is told by status, type and shape of
its body, in which \`run\`, \`thread\`, \`assistant\` and \`state\` stand for the document's objects. Where a server answers
otherwise with custom authentication, the endpoint stands in parentheses.

## Where a dialect differs from the server it stands for

On every other point \`agent-server\` does what \`langgraph-py\` does, and \`js-dev\` what \`langgraph-js\` does; a test compares
them.

| dialect | server | open point | why |
| --- | --- | --- | --- |
${differences.join('\n')}

${renderLedger(points, all)}
# Bulk export

No server that anyone can install has this API: this is what the mock server does, in every dialect.

${renderLedger(openPoints('export'), [ofExports])}`
}
