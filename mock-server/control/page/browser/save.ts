import { create } from '../../../../pages/browser/create.ts'
import type { Scenario } from '../../../scripting/scenario.ts'
import type { Api } from './api.ts'
import { count } from './format.ts'

/** The buttons that save requests as a file. */
interface SaveButtons {
  readonly buttons: readonly HTMLButtonElement[]
  /** What was saved, or why nothing was. */
  readonly result: HTMLElement
  enable(canSave: boolean): void
}

/** Creates the buttons. `idsOf` returns the ids of the requests to save; undefined for all. */
export function saveButtons(api: Api, idsOf: () => readonly number[] | undefined): SaveButtons {
  const result = create('div', { className: 'notice', role: 'status', hidden: true })
  const report = (...content: (Node | string)[]): void => {
    const close = create('button', { type: 'button', className: 'button' }, 'Close')
    close.addEventListener('click', () => {
      result.hidden = true
    })
    result.replaceChildren(create('div', {}, ...content), close)
    result.hidden = false
  }
  const body = (): string => JSON.stringify({ ids: idsOf() })
  const button = (label: string, save: () => Promise<void>): HTMLButtonElement => {
    const element = create('button', { type: 'button', className: 'button', disabled: true }, label)
    element.addEventListener('click', async () => {
      try {
        await save()
      } catch (error) {
        report(error instanceof Error ? error.message : String(error))
      }
    })
    return element
  }
  const buttons = [
    button('Save HAR', async () => {
      download('requests.har', await api.send('POST', 'journal.har', body()))
      report('Saved requests.har. Open it in the network panel of a browser.')
    }),
    button('Save scenario', async () => {
      const saved = await api.send<{ scenario: Scenario; omitted: readonly string[] }>(
        'POST',
        'journal/scenario',
        body(),
      )
      download('scenario.json', saved.scenario)
      const number = saved.scenario.recording?.exchanges.length ?? 0
      const saying = `Saved ${count(number, 'request')}. To replay ${number === 1 ? 'it' : 'them'}: `
      report(
        create('p', {}, saying, create('code', {}, 'npx touchstone serve --scenario scenario.json')),
        ...saved.omitted.map((reason) => create('p', {}, `Not in the scenario: ${reason}`)),
      )
    }),
  ]
  return {
    buttons,
    result,
    enable: (canSave) => {
      for (const element of buttons) element.disabled = !canSave
    },
  }
}

function download(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }))
  create('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
