import { parseReport, ReportError } from '../../../model/parse.ts'
import type { Report } from '../../../model/report.ts'
import { isWide } from '../form.ts'

/** Reads the reports that are dropped on the page or chosen. No request is made: the page may not make any. */
export function startDropZone(root: Document, add: (report: Report) => void): void {
  const zone = root.querySelector<HTMLDetailsElement>('#drop')
  const input = root.querySelector<HTMLInputElement>('#file')
  const status = root.querySelector('#drop-status')
  if (zone === null || input === null || status === null) return
  zone.hidden = false
  zone.open = isWide()
  const read = async (files: FileList | null | undefined) => {
    const messages: string[] = []
    for (const file of files ?? []) messages.push(await addFile(file, add))
    status.textContent = messages.join(' ')
  }
  input.addEventListener('change', async () => {
    await read(input.files)
    // The same file can be chosen again after it has changed.
    input.value = ''
  })
  root.addEventListener('dragover', (event) => {
    event.preventDefault()
    root.documentElement.dataset['dragging'] = ''
  })
  root.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) delete root.documentElement.dataset['dragging']
  })
  root.addEventListener('drop', (event) => {
    event.preventDefault()
    delete root.documentElement.dataset['dragging']
    read(event.dataTransfer?.files)
  })
}

/** Adds the report in a file and returns a sentence about it. */
async function addFile(file: File, add: (report: Report) => void): Promise<string> {
  try {
    // The schema library is too large for a page: a report that lacks something fails where it is used.
    const report = parseReport(await file.text(), file.name) as Report
    add(report)
    return `${file.name} is the first column. Reload the page to remove it.`
  } catch (error) {
    if (error instanceof ReportError) return error.message
    return `${file.name} is not a valid report. Pass it to touchstone report, which shows what is wrong.`
  }
}
