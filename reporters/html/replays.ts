import type { RootCause } from '../findings.ts'
import type { Report } from '../model/report.ts'
import { replayParts } from '../replay/index.ts'
import { contentOf, type Html, html } from './markup.ts'

/** Size of the embedded replay scripts, in bytes. */
const budget = 40_000

/**
 * The replay script of the first requirement of each cause, the first causes first: people who receive only the HTML file
 * do not have the other files. What the scripts have in common is there once.
 */
export function embeddedReplays(report: Report, rootCauses: readonly RootCause[]): Html | undefined {
  const blocks: Html[] = []
  let bytes = 0
  for (const { requirements } of rootCauses) {
    const [requirement] = requirements
    const parts = replayParts(report, requirement)
    if (parts === undefined) continue
    const { before, functions, after } = parts
    bytes += Buffer.byteLength(before) + Buffer.byteLength(after)
    if (bytes > budget) break
    if (blocks.length === 0) blocks.push(block('', functions))
    blocks.push(block(requirement.id, before), block(requirement.id, after))
  }
  return blocks.length === 0 ? undefined : html`<div id="replays" hidden>${blocks}</div>`
}

function block(id: string, text: string): Html {
  return html`<pre data-replay="${id}">\n${contentOf(text)}</pre>`
}
