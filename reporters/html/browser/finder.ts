import { createFilter } from './filter.ts'
import { reveal } from './reveal.ts'
import { formatState, parseState, type State } from './state.ts'

/** Makes search and filters work, and keeps address, controls and list in step: the address is the truth. */
export function startFinder(root: Document): void {
  const form = root.querySelector<HTMLFormElement>('#finder')
  const status = root.querySelector('#status')
  const nothing = root.querySelector('#nothing')
  if (form === null || status === null) return
  const filter = createFilter(root)
  let state = parseState(location.hash)

  const apply = () => {
    const { shown, all } = filter(state)
    status.textContent = shown === all ? `All ${all} requirements` : `${shown} of ${all} requirements`
    if (nothing instanceof HTMLElement) nothing.hidden = shown > 0 || all === 0
  }
  const write = () => history.replaceState(null, '', formatState(state))
  const go = (next: State) => {
    state = next
    fill(form, state)
    apply()
    if (reveal(state.anchor)) return
    if (isNarrowed(state)) root.querySelector('#requirements')?.scrollIntoView()
  }

  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', () => {
    state = { ...read(form), anchor: '' }
    write()
    apply()
  })
  form.addEventListener('reset', (event) => {
    event.preventDefault()
    state = { anchor: '', filters: {}, query: '' }
    fill(form, state)
    write()
    apply()
  })
  addEventListener('hashchange', () => {
    const next = parseState(location.hash)
    // A link inside the page names a row only: what the list is narrowed to stays.
    const keeps = !location.hash.includes('?') && next.anchor !== ''
    go(keeps ? { ...state, anchor: next.anchor } : next)
    if (keeps) write()
  })
  root.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || target.dataset['v'] === undefined || !target.open) return
      if (root.activeElement !== target.querySelector(':scope > summary')) return
      state = { ...state, anchor: target.id }
      write()
    },
    true,
  )
  if (location.hash.length > 1) go(state)
  else apply()
  // The browser's own way to the anchor, which follows the parsing, takes the focus away again.
  addEventListener('load', () => reveal(state.anchor), { once: true })
}

function isNarrowed({ filters, query }: State): boolean {
  return query !== '' || Object.keys(filters).length > 0
}

function read(form: HTMLFormElement): State {
  const data = new FormData(form)
  const filters: State['filters'] = {}
  for (const name of new Set(data.keys())) {
    const values = data.getAll(name).map(String).filter(Boolean)
    if (name !== 'q' && values.length > 0) filters[name] = values
  }
  return { anchor: '', filters, query: String(data.get('q') ?? '') }
}

function fill(form: HTMLFormElement, { filters, query }: State): void {
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) control.value = filters[control.name]?.[0] ?? ''
    if (!(control instanceof HTMLInputElement)) continue
    if (control.type === 'search') control.value = query
    else control.checked = filters[control.name]?.includes(control.value) ?? false
  }
  const details = form.querySelector('details')
  if (details !== null && Object.keys(filters).length > 0) details.open = true
}
