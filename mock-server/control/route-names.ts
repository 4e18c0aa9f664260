/** What the id behind a part of a path is called. */
const IDS: Readonly<Record<string, string>> = {
  threads: 'thread_id',
  runs: 'run_id',
  assistants: 'assistant_id',
  crons: 'cron_id',
  state: 'checkpoint_id',
  subgraphs: 'namespace',
  'bulk-exports': 'export_id',
  destinations: 'destination_id',
}

/** Parts of a path that stand where an id could, and are none. */
const WORDS: ReadonlySet<string> = new Set([
  'batch',
  'cancel',
  'checkpoint',
  'count',
  'crons',
  'destinations',
  'prune',
  'runs',
  'search',
  'stream',
  'wait',
])

/** The parts of a path, and which of them are ids, by their names. */
export function partsOfPath(path: string): readonly { readonly text: string; readonly id: string | undefined }[] {
  const texts = path.split('/').filter((text) => text !== '')
  let before = ''
  return texts.map((text) => {
    const id = WORDS.has(text) ? undefined : IDS[before]
    // What follows an id is a word, also where it is spelled like a collection.
    before = id === undefined ? text : ''
    return { text, id }
  })
}

/** A path as the API's description has it: `/threads/{thread_id}/runs`. */
export function pathName(path: string): string {
  return `/${partsOfPath(path)
    .map(({ text, id }) => (id === undefined ? text : `{${id}}`))
    .join('/')}`
}
