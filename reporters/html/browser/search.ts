import { reveal } from './details.ts'
import { createFilter, formatState, parseState, type State } from './filter.ts'

/** Starts search and filters. The fragment of the URL holds the state; the form and the list follow it. */
export function startSearch(root: Document): void {
  const form = root.querySelector<HTMLFormElement>('#search')
  const status = root.querySelector('#status')
  const noMatch = root.querySelector('#nothing')
  if (form === null || status === null) return
  const filter = createFilter(root)
  let state = parseState(location.hash)

  const apply = () => {
    const { shown, all } = filter(state)
    status.textContent = shown === all ? `All ${all} requirements` : `${shown} of ${all} requirements`
    if (noMatch instanceof HTMLElement) noMatch.hidden = shown > 0 || all === 0
  }
  const writeUrl = () => history.replaceState(null, '', formatState(state))
  const show = (next: State) => {
    state = next
    fillForm(form, state)
    apply()
    if (reveal(state.anchor)) return
    if (hasFilters(state)) root.querySelector('#requirements')?.scrollIntoView()
  }

  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', () => {
    state = { ...readForm(form), anchor: '' }
    writeUrl()
    apply()
  })
  form.addEventListener('reset', (event) => {
    event.preventDefault()
    state = { anchor: '', filters: {}, query: '' }
    fillForm(form, state)
    writeUrl()
    apply()
  })
  addEventListener('hashchange', () => {
    const next = parseState(location.hash)
    // A link inside the page has no filters: keep the current ones.
    const keepsFilters = !location.hash.includes('?') && next.anchor !== ''
    show(keepsFilters ? { ...state, anchor: next.anchor } : next)
    if (keepsFilters) writeUrl()
  })
  root.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || target.dataset['v'] === undefined || !target.open) return
      if (root.activeElement !== target.querySelector(':scope > summary')) return
      state = { ...state, anchor: target.id }
      writeUrl()
    },
    true,
  )
  if (location.hash.length > 1) show(state)
  else apply()
  // After parsing, the browser scrolls to the anchor itself and removes the focus.
  addEventListener('load', () => reveal(state.anchor), { once: true })
}

function hasFilters({ filters, query }: State): boolean {
  return query !== '' || Object.keys(filters).length > 0
}

function readForm(form: HTMLFormElement): State {
  const data = new FormData(form)
  const filters: State['filters'] = {}
  for (const name of new Set(data.keys())) {
    const values = data.getAll(name).map(String).filter(Boolean)
    if (name !== 'q' && values.length > 0) filters[name] = values
  }
  return { anchor: '', filters, query: String(data.get('q') ?? '') }
}

function fillForm(form: HTMLFormElement, { filters, query }: State): void {
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) control.value = filters[control.name]?.[0] ?? ''
    if (!(control instanceof HTMLInputElement)) continue
    if (control.type === 'search') control.value = query
    else control.checked = filters[control.name]?.includes(control.value) ?? false
  }
  const details = form.querySelector('details')
  if (details !== null && Object.keys(filters).length > 0) details.open = true
}
