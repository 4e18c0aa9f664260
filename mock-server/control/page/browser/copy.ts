import { create } from '../../../../pages/browser/create.ts'

/** Creates a button that copies a text. */
export function copyButton(label: string, textOf: () => string): HTMLButtonElement {
  const button = create('button', { type: 'button', className: 'button' }, label)
  button.addEventListener('click', async () => {
    // The next button stays where it is.
    button.style.minWidth = `${button.offsetWidth}px`
    try {
      const text = textOf()
      await navigator.clipboard.writeText(text)
      button.textContent = text.includes('[redacted]') ? 'Copied. Replace [redacted].' : 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
  return button
}
