import { offerCopies } from './copy.ts'
import { startFinder } from './finder.ts'
import { listenToKeys } from './keys.ts'
import { openForPrint } from './print.ts'
import { fillRepeated } from './same.ts'
import { offerTheme } from './theme.ts'

offerTheme(document)
fillRepeated(document)
offerCopies(document)
listenToKeys(document)
openForPrint(document)
startFinder(document)
