import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 keep the heap of this process close to the size of the live objects.
 *
 * On a large machine, V8 lets the young generation grow beyond 100 MB and collects old objects late. That does not help a
 * process that reads one record after another. The maximum size of the heap does not change.
 */
export function keepHeapSmall(): void {
  // V8 reads these flags on every size decision. It reads the flags for absolute sizes only once, at startup.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=25')
}
