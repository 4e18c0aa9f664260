import { startThemeButton } from '../../../pages/browser/theme.ts'
import { startMatrix } from './matrix/start.ts'

startThemeButton(document)
startMatrix(document)
