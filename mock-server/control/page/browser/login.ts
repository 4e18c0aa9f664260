import type { Api } from './api.ts'

/** Asks for the control token whenever the control plane requires another one. `onToken` is called with each entered token. */
export function startLogin(root: Document, api: Api, onToken: () => void): void {
  const dialog = root.querySelector<HTMLDialogElement>('#login')
  const form = dialog?.querySelector('form')
  const input = dialog?.querySelector('input')
  const problem = dialog?.querySelector('.error')
  if (!dialog || !form || !input || !problem) return
  api.onUnauthorized = () => {
    if (dialog.open) return
    problem.textContent = api.token === '' ? '' : 'Expected the control token of this server, received another text.'
    input.value = ''
    dialog.showModal()
  }
  // Without a token, the page has nothing to show.
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    dialog.close()
    api.token = input.value
    input.value = ''
    onToken()
  })
}
