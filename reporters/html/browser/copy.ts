/** Shows the buttons of every card, which copy a command, a link or the text of an issue. */
export function startCopyButtons(root: Document): void {
  for (const actions of root.querySelectorAll<HTMLElement>('.actions')) actions.hidden = false
  root.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement) || !target.classList.contains('copy')) return
    const card = target.closest<HTMLElement>('.card')
    if (card) copy(textOf(card, target), target)
  })
}

function textOf(card: HTMLElement, { dataset }: HTMLButtonElement): string {
  if (dataset['copy'] === 'curl') return curlOf(card)
  if (dataset['copy'] === 'link') return `${location.href.replace(/#.*/, '')}#${card.id}`
  return dataset['copy'] === 'issue' ? issueOf(card) : (dataset['text'] ?? '')
}

function curlOf(card: HTMLElement): string {
  return card.querySelector('.curl pre')?.textContent.trim() ?? ''
}

/** What went wrong and how to see it again, in Markdown. */
function issueOf(card: HTMLElement): string {
  const text = (selector: string) => card.querySelector(selector)?.textContent.trim() ?? ''
  const [expected = '', received = ''] = [...card.querySelectorAll('.pair pre')].map((side) => side.textContent.trim())
  const rerun = card.querySelectorAll<HTMLElement>('[data-text]')
  const commands = [...rerun].map(({ dataset }) => dataset['text'] ?? '').reverse()
  const earlier = [...card.querySelectorAll<HTMLElement>('.earlier')].slice(0, 1)
  const requests = earlier
    .flatMap((list) => [...list.querySelectorAll<HTMLElement>('[data-curl]')])
    .map(({ dataset }) => dataset['curl'] ?? '')
  const block = (content: string, language = '') => `\`\`\`\`${language}\n${content}\n\`\`\`\``
  const parts = [
    `**${text('h3')}**: ${text('.statement')}`,
    ...(expected === ''
      ? [text('.cause-text')]
      : [`Expected:\n\n${block(expected)}`, `Received:\n\n${block(received)}`]),
    ...(curlOf(card) === '' ? [] : [`Requests:\n\n${block([...requests, curlOf(card)].join('\n'), 'sh')}`]),
    `To test it again:\n\n${block(commands[0] ?? '', 'sh')}`,
  ]
  return `${parts.join('\n\n')}\n`
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  const label = button.textContent
  // The next button stays where it is.
  button.style.minWidth = `${button.offsetWidth}px`
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    // The browser refused, for example in a frame.
    button.textContent = 'Not allowed'
  }
  setTimeout(() => {
    button.textContent = label
  }, 2000)
}
