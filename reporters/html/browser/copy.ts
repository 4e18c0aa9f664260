/** Puts a button beside every shell command that copies it. */
export function offerCopies(root: Document): void {
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
    // A browser may refuse: then the command is selected, ready to be copied by hand.
    getSelection()?.selectAllChildren(command)
    button.textContent = 'Selected'
  }
}
