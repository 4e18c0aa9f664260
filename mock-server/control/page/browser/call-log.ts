import type { CallSummary, JournalChanges } from '../../journal/changes.ts'

/** The exchanges of the journal that is shown. */
export interface CallLog {
  /** By id. */
  readonly calls: readonly CallSummary[]
  /** The number of exchanges that the journal has dropped to make room. */
  readonly dropped: number
  get(id: number): CallSummary | undefined
  apply(changes: JournalChanges): void
  clear(): void
  /** Calls a function after every change. */
  onChange(listener: () => void): void
}

export function createCallLog(): CallLog {
  const byId = new Map<number, CallSummary>()
  const listeners: (() => void)[] = []
  let sorted: readonly CallSummary[] | undefined
  let dropped = 0
  const changed = (): void => {
    sorted = undefined
    for (const listener of listeners) listener()
  }
  return {
    get calls() {
      sorted ??= [...byId.values()].toSorted((left, right) => left.id - right.id)
      return sorted
    },
    get dropped() {
      return dropped
    },
    get: (id) => byId.get(id),
    apply: (changes) => {
      for (const call of changes.calls) byId.set(call.id, call)
      for (const id of byId.keys()) if (id < changes.oldest) byId.delete(id)
      dropped = changes.dropped
      changed()
    },
    clear: () => {
      byId.clear()
      dropped = 0
      changed()
    },
    onChange: (listener) => listeners.push(listener),
  }
}
