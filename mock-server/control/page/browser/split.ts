import { create } from '../../../../pages/browser/create.ts'
import { hrefOf } from './view.ts'

/** A list, and next to it or instead of it what was opened in the list. */
export interface Split {
  readonly element: HTMLElement
  readonly list: HTMLElement
  /** The content of what was opened. */
  readonly detail: HTMLElement
  /** Shows or hides what was opened. */
  toggle(isOpen: boolean): void
}

export function createSplit(name: string, title: string): Split {
  const list = create('div', { className: 'list' })
  const detail = create('div', { className: 'opened' })
  const back = create('a', { className: 'button back', href: hrefOf(name) }, 'Close')
  const pane = create('section', { className: 'detail', hidden: true, ariaLabel: 'Opened item' }, back, detail)
  const element = create('section', { className: 'split', ariaLabel: title }, list, pane)
  element.addEventListener('keydown', ({ key, target }) => {
    // In a field, Escape deletes the text.
    if (key === 'Escape' && !pane.hidden && !(target instanceof HTMLInputElement)) location.hash = hrefOf(name)
  })
  return {
    element,
    list,
    detail,
    toggle: (isOpen) => {
      if (pane.hidden === !isOpen) return
      pane.hidden = !isOpen
      element.classList.toggle('is-open', isOpen)
      // On narrow screens, the list with the focus is hidden.
      if (isOpen && element.checkVisibility() && !list.checkVisibility()) back.focus()
    },
  }
}
