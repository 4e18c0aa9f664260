import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 keep the heap of this process near to what lives in it, from now on. By itself, on a large machine, it lets the
 * young generation grow beyond 100 MB and collects old objects late, which gains nothing for a server that reads one
 * record after the other. The heap may still become as large as ever where more lives in it.
 */
export function keepHeapSmall(): void {
  // V8 looks at these each time it decides about a size. The options that name a size it reads once, at its start.
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=25')
}
