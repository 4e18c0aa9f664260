import { create } from '../../../../pages/browser/create.ts'
import type { FaultCount } from '../../faults/faults.ts'
import { type Api, Refused } from './api.ts'
import { attempt } from './attempt.ts'
import type { CallLog } from './call-log.ts'
import { faultFacts } from './fault-facts.ts'
import { createFaultFields } from './fault-fields.ts'
import { createForm, numberOrText } from './form.ts'
import { count } from './format.ts'
import { keyed } from './keep.ts'
import { refreshed } from './refreshed.ts'
import { hrefOf, type View } from './view.ts'

/** The active faults, and a form that adds one. `onCount` is called with their number. */
export function faultsView(api: Api, log: CallLog, onCount: (number: number) => void): View {
  const list = create('ul', { className: 'cards' })
  const fields = createFaultFields()
  const routes = create('datalist', { id: 'routes' })
  fields.route.setAttribute('list', routes.id)

  const remove = async (path: string): Promise<void> => {
    await api.send('DELETE', path)
    await view.refresh()
  }
  const show = refreshed<readonly FaultCount[]>(list, (faults) =>
    faults.length === 0
      ? [create('li', { className: 'empty' }, 'No faults. The server responds as it should.')]
      : faults.map((fault) => card(fault, () => attempt(remove(`faults/${encodeURIComponent(fault.id)}`)))),
  )
  const form = createForm(
    'Add a fault',
    [
      create('h2', {}, 'Add a fault'),
      ...fields.content,
      routes,
      create('button', { className: 'button primary' }, 'Add'),
    ],
    async () => {
      await api.send('POST', 'faults', JSON.stringify(newFault()))
      await view.refresh()
      return `Added the fault ${fields.type.value}.`
    },
  )
  const newFault = (): Record<string, unknown> => {
    const number = (name: string): number | string | undefined => numberOrText(form.text(name))
    const settings = fields.settings().map((name) => {
      if (name === 'carriedOut') return [name, isChecked(form.element, name) || undefined]
      return [name, name === 'body' ? jsonOrText(form.text(name)) : number(name)]
    })
    const values = Object.fromEntries(settings)
    if (values['after'] !== undefined && values['carriedOut']) {
      throw new Refused(0, 'Choose either "After events" or "The server executes the request".')
    }
    const calls = form.text('calls')
    return {
      type: fields.type.value,
      route: form.text('route'),
      ...values,
      ...(calls !== undefined && { [calls]: number(calls) }),
      probability: number('probability'),
    }
  }
  const view: View = {
    name: 'faults',
    title: 'Faults',
    element: create('section', { className: 'plain columns', ariaLabel: 'Faults' }, list, form.element),
    show: (route) => {
      if (route !== '') {
        fields.route.value = route
        // The same link then works again.
        history.replaceState(null, '', hrefOf('faults'))
      }
      const known = new Set(log.calls.map((call) => call.route))
      routes.replaceChildren(...[...known].toSorted().map((value) => create('option', { value })))
    },
    refresh: async () => {
      const { faults } = await api.get<{ faults: readonly FaultCount[] }>('faults')
      onCount(faults.length)
      show(faults)
    },
  }
  return view
}

function card({ id, fault, calls, hits }: FaultCount, remove: () => void): HTMLElement {
  const { type, route = 'every route' } = fault
  const button = create('button', { type: 'button', className: 'button', onclick: remove }, 'Remove')
  button.ariaLabel = `Remove the fault ${type} on ${route}`
  return create(
    'li',
    { className: 'card' },
    create('h2', {}, type, ' ', create('span', { className: 'n' }, faultFacts(fault).join(', '))),
    create('p', {}, create('code', {}, route)),
    create('p', { className: 'dim' }, `${count(calls, 'call')}, injected into ${hits}`),
    create('p', { className: 'actions' }, keyed(button, id)),
  )
}

function isChecked(form: HTMLFormElement, name: string): boolean {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLInputElement && control.checked
}

function jsonOrText(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
