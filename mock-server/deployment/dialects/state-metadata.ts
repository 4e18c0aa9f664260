import type { JsonObject } from '../../http/fields.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { Run, Thread } from '../records.ts'

/** Returns the metadata that public servers copy from a run to its states: its metadata and keys of its configuration. */
export function fromRun(
  thread: Thread,
  checkpoint: Checkpoint,
  isRepeated: (key: string) => boolean,
): Pick<Run, 'metadata'>['metadata'] {
  const run = thread.runs.get(checkpoint.metadata.run_id ?? '')
  const configurable: JsonObject = run?.kwargs.config.configurable ?? {}
  return { ...run?.metadata, ...Object.fromEntries(Object.entries(configurable).filter(([key]) => isRepeated(key))) }
}
