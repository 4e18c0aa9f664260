import { startThemeButton } from '../../../pages/browser/theme.ts'
import { addCopyButtons } from './copy.ts'
import { listenToKeys } from './keys.ts'
import { startSearch } from './search.ts'
import { createTables } from './tables.ts'

startThemeButton(document)
addCopyButtons(document)
listenToKeys(document)
startSearch(document, createTables(document))
