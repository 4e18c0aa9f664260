import type { State } from './filter.ts'

/** Reads the filters and the search text from a form. */
export function readForm(form: HTMLFormElement): State {
  const data = new FormData(form)
  const filters: State['filters'] = {}
  for (const name of new Set(data.keys())) {
    const values = data.getAll(name).map(String).filter(Boolean)
    if (name !== 'q' && values.length > 0) filters[name] = values
  }
  return { anchor: '', filters, query: String(data.get('q') ?? '') }
}

/** Fills a form with a state. On wide screens, the filters are opened if there are any. */
export function fillForm(form: HTMLFormElement, { filters, query }: State): void {
  for (const control of form.elements) {
    if (control instanceof HTMLSelectElement) control.value = filters[control.name]?.[0] ?? ''
    if (!(control instanceof HTMLInputElement)) continue
    if (control.type === 'search') control.value = query
    else control.checked = filters[control.name]?.includes(control.value) ?? false
  }
  const details = form.querySelector('details')
  if (details !== null && Object.keys(filters).length > 0 && isWide()) details.open = true
}

/** Whether the form is next to the results. */
export function isWide(): boolean {
  return matchMedia('(width >= 60rem)').matches
}
