import { replaceKeeping } from './keep.ts'

/** Replaces the content of an element, if what it shows has changed. */
export type Refreshed<T> = (value: T) => void

/** Returns a function that renders a value into an element, and does nothing for an equal value. */
export function refreshed<T>(element: HTMLElement, render: (value: T) => readonly Node[]): Refreshed<T> {
  let last = ''
  return (value) => {
    const text = JSON.stringify(value)
    if (text === last) return
    last = text
    replaceKeeping(element, ...render(value))
  }
}
