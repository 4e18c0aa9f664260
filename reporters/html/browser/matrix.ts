import { startMatrix } from './matrix/start.ts'
import { startThemeButton } from './theme.ts'

startThemeButton(document)
startMatrix(document)
