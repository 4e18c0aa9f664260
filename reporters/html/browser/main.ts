import { addCopyButtons } from './copy.ts'
import { fillRepeatedExchanges, openForPrint } from './details.ts'
import { listenToKeys } from './keys.ts'
import { startSearch } from './search.ts'
import { startThemeButton } from './theme.ts'

startThemeButton(document)
fillRepeatedExchanges(document)
addCopyButtons(document)
listenToKeys(document)
openForPrint(document)
startSearch(document)
