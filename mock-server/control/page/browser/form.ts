import { create } from '../../../../pages/browser/create.ts'
import { Refused } from './api.ts'

/** A labeled control with a place for its error. The name of the control is unique in the page. */
export function field(
  label: string,
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  hint = '',
): HTMLElement {
  const error = create('span', { className: 'error', id: `error-${control.name}` })
  control.setAttribute('aria-describedby', error.id)
  const text = create('span', {}, label, ...(hint === '' ? [] : [create('small', {}, ` ${hint}`)]))
  return create('div', { className: 'field' }, create('label', {}, text, control), error)
}

/** A form whose errors are next to the fields that they name. */
export interface Form {
  readonly element: HTMLFormElement
  /** Returns the text of a control; undefined if it is empty or not in the form. */
  text(name: string): string | undefined
  /** Shows the errors in a message of the control plane; an empty one removes them. */
  report(message: string): void
}

/** Creates a form. `submit` sends it; its errors are shown in the form. */
export function createForm(label: string, content: readonly Node[], submit: () => Promise<string>): Form {
  const result = create('p', { className: 'result', role: 'status' })
  const element = create('form', { className: 'form', ariaLabel: label, noValidate: true }, ...content, result)
  element.addEventListener('submit', async (event) => {
    event.preventDefault()
    showErrors(element, result, '')
    try {
      result.textContent = await submit()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      showErrors(element, result, error.message)
    }
  })
  return {
    element,
    report: (message) => showErrors(element, result, message),
    text: (name) => {
      const control = element.elements.namedItem(name)
      return control instanceof Element && 'value' in control && control.value !== ''
        ? String(control.value)
        : undefined
    },
  }
}

/** Shows each sentence next to the field that it names, and all others after the form. */
function showErrors(form: HTMLFormElement, result: HTMLElement, message: string): void {
  const sentences = message === '' ? [] : message.split(/; (?=Field ")/)
  const others: string[] = []
  for (const control of form.querySelectorAll<HTMLElement>('[aria-describedby]')) {
    control.ariaInvalid = null
    const error = document.getElementById(control.getAttribute('aria-describedby') ?? '')
    if (error !== null) error.textContent = ''
  }
  for (const sentence of sentences) {
    const [, path = '', problem = ''] = /^Field "([^"]*)": (.*)$/s.exec(sentence) ?? []
    const [name = '', ...rest] = path.split('.')
    const control = form.elements.namedItem(name)
    const error = control instanceof Element && document.getElementById(control.getAttribute('aria-describedby') ?? '')
    if (!error) {
      others.push(sentence)
      continue
    }
    control.ariaInvalid = 'true'
    // The label names the field.
    error.textContent = rest.length > 0 ? sentence : problem.charAt(0).toUpperCase() + problem.slice(1)
  }
  result.textContent = others.join(' ')
  result.classList.toggle('error', others.length > 0)
  form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}

/** Returns a number for the text of one, and any other text as it is, so that the control plane explains what it expected. */
export function numberOrText(text: string | undefined): number | string | undefined {
  return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}
