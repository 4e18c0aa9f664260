/** Adds a button to every shell command that copies it. */
export function addCopyButtons(root: Document): void {
  for (const block of root.querySelectorAll('.curl')) {
    const button = root.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    block.append(button)
  }
  root.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || target.className !== 'copy') return
    const command = target.parentElement?.querySelector('pre')
    if (command) copy(command, target)
  })
}

async function copy(command: Element, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(command.textContent)
    button.textContent = 'Copied'
  } catch {
    // The browser refused: select the command, so that the reader can copy it.
    getSelection()?.selectAllChildren(command)
    button.textContent = 'Selected'
  }
}
