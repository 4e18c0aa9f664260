import { writeFile } from 'node:fs/promises'
import { observeExports } from './exports.ts'
import { ledgerFile, ledgerPage, observeDialects } from './ledger.ts'

// `npm run ledger`: observes the dialects of the mock server and writes the ledger of silence beside what is recorded of the peers.
await writeFile(ledgerFile, await ledgerPage(await observeDialects(), await observeExports()))
