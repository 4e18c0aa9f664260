import { reveal } from './details.ts'
import { filterRows, formatState, hasFilters, parseState, type State } from './filter.ts'
import { fillForm, isWide, readForm } from './form.ts'
import type { Tables } from './tables.ts'

const empty: State = { anchor: '', filters: {}, query: '' }

/**
 * Starts search and filters. The fragment of the URL holds the state; the form and the results follow it. While there are
 * filters, only the results are visible.
 */
export function startSearch(root: Document, tables: Tables): void {
  const form = root.querySelector<HTMLFormElement>('#search')
  const status = root.querySelector('#status')
  const noMatch = root.querySelector<HTMLElement>('#nothing')
  if (form === null || status === null || noMatch === null) return
  let state = parseState(location.hash)

  const apply = () => {
    const isActive = hasFilters(state)
    root.documentElement.toggleAttribute('data-searching', isActive)
    // Without filters, tables that were never opened stay as they are.
    const shown = isActive || root.querySelector('.list') !== null ? filterRows(tables(), state) : 0
    const { all } = form.dataset
    status.textContent = isActive ? `${shown} of ${all} requirements` : `All ${all} requirements`
    noMatch.hidden = !isActive || shown > 0
    if (isActive) for (const section of results(root)) section.open = true
  }
  const writeUrl = () => history.replaceState(null, '', formatState(state))
  // The search field and the count stay visible: next to the results on wide screens, above them on narrow ones.
  const place = () => {
    if (!hasFilters(state)) reveal(state.anchor, tables)
    else if (isWide()) root.querySelector('#main')?.scrollIntoView()
    else form.scrollIntoView()
  }
  const show = (next: State) => {
    state = next
    fillForm(form, state)
    apply()
    place()
  }
  const clear = () => {
    for (const section of results(root)) section.open = false
    show(empty)
    writeUrl()
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
    clear()
  })
  root.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && hasFilters(state)) clear()
  })
  addEventListener('hashchange', () => show(parseState(location.hash)))
  root.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.classList.contains('card') || !target.open) return
      if (root.activeElement !== target.querySelector(':scope > summary')) return
      state = { ...empty, anchor: target.id }
      writeUrl()
    },
    true,
  )
  show(state)
  // After parsing, the browser scrolls to the anchor itself and removes the focus.
  addEventListener('load', place, { once: true })
}

function results(root: Document): HTMLDetailsElement[] {
  return [...root.querySelectorAll<HTMLDetailsElement>('#unspecified, #requirements')]
}
