import { setFlagsFromString } from 'node:v8'

// On a large machine, V8 lets the young generation grow beyond 100 MB and collects old objects late, also while modules are
// loaded. These flags keep the heap of the process close to the size of the live objects. V8 reads them on every size
// decision; it reads flags for absolute sizes only once, at startup. The maximum size of the heap does not change.
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--heap-growing-percent=25')
