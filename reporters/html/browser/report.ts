import { addCopyButtons } from './copy.ts'
import { listenToKeys } from './keys.ts'
import { startSearch } from './search.ts'
import { createTables } from './tables.ts'
import { startThemeButton } from './theme.ts'

startThemeButton(document)
addCopyButtons(document)
listenToKeys(document)
startSearch(document, createTables(document))
