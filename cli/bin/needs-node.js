// Preloaded by the scripts of a checkout (`node --import ./cli/bin/needs-node.js FILE`). Without it, an old version of Node
// would fail at the first TypeScript file with a stack trace.
import { newEnough, tooOld } from './node-version.js'

if (!newEnough) {
  process.stderr.write(tooOld())
  process.exit(2)
}
