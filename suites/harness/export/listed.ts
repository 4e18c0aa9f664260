import { textAt } from '../json.ts'
import { poll } from '../waiting.ts'
import type { ExportContext } from './export-context.ts'

/** The list of exports once it holds these; as it is where they do not come: a list may follow what is created a moment later. */
export async function untilListed(
  { exports, session }: Pick<ExportContext, 'exports' | 'session'>,
  ids: readonly string[],
): Promise<readonly unknown[]> {
  let list: readonly unknown[] = []
  await poll(session, async () => {
    list = await exports.list()
    const listed = new Set(list.map((one) => textAt(one, 'id')))
    return ids.every((id) => listed.has(id)) ? true : undefined
  })
  return list
}
