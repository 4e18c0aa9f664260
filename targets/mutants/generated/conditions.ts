import type { Call } from './calls.ts'

/** When a defect changes a response. */
export interface Condition {
  readonly name: string
  readonly when: (call: Call) => boolean
}

/** Every response. */
export const always: Condition = { name: '', when: () => true }

/** Some responses only. */
export const conditions: readonly Condition[] = [
  { name: 'second time', when: ({ visit }) => visit === 2 },
  { name: 'concurrently', when: ({ isConcurrent }) => isConcurrent },
  { name: 'after a stream', when: ({ isStreamed }) => isStreamed },
  { name: 'one in five', when: ({ count }) => count % 5 === 0 },
  { name: 'other users', when: ({ isOtherUser }) => isOtherUser },
]

/** Returns the id of a mutation. */
export function idOf(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ')
}
