/** What a button copies; undefined leaves the button out. */
type TextOf = (card: HTMLElement, actions: HTMLElement) => string | undefined

const buttons: Readonly<Record<string, TextOf>> = {
  'Copy curl': curlOf,
  'Copy replay': replayOf,
  'Copy re-run': (_, { dataset }) => dataset['rerun'],
  'Copy as issue': issueOf,
  'Copy link': ({ id }) => `${location.href.replace(/#.*/, '')}#${id}`,
}

/** Adds buttons to every card, which copy a command, a script, a link or the text of an issue. */
export function addCopyButtons(root: Document): void {
  for (const actions of root.querySelectorAll<HTMLElement>('.actions')) {
    const card = actions.closest<HTMLElement>('.card')
    if (card === null) continue
    for (const [label, textOf] of Object.entries(buttons)) {
      const text = textOf(card, actions)
      if (text === undefined) continue
      const button = root.createElement('button')
      button.type = 'button'
      button.className = 'copy'
      button.textContent = label
      button.addEventListener('click', () => copy(text, button))
      actions.append(button)
    }
  }
}

/** The replay script, from its two parts around the part that all scripts have in common; otherwise, how to run its file. */
function replayOf({ ownerDocument }: HTMLElement, { dataset: { id, script } }: HTMLElement): string | undefined {
  const texts = [...ownerDocument.querySelectorAll<HTMLElement>('#replays pre')]
  const partsOf = (wanted: string) =>
    texts.filter(({ dataset }) => dataset['replay'] === wanted).map(({ textContent }) => textContent)
  const [before, after] = partsOf(id ?? '')
  if (before === undefined) return script === undefined ? undefined : `bash ${script}`
  return `${before}${partsOf('').join('')}${after}`
}

function curlOf(card: HTMLElement): string | undefined {
  return card.querySelector('.curl pre')?.textContent.trim()
}

/** What went wrong and how to see it again, in Markdown. */
function issueOf(card: HTMLElement, { dataset: { rerun = '' } }: HTMLElement): string {
  const text = (selector: string) => card.querySelector(selector)?.textContent.trim() ?? ''
  // The comparison is left out of a card whose headline shows all of it.
  const values = ['.pair pre', '.versus > :not(.dim)'].map((selector) => [...card.querySelectorAll(selector)])
  const sides = values.find(({ length }) => length > 0) ?? []
  const [expected = '', received = ''] = sides.map((side) => side.textContent.trim())
  const curl = curlOf(card)
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
    ...(curl === undefined ? [] : [`Requests:\n\n${block([...requests, curl].join('\n'), 'sh')}`]),
    `To test it again:\n\n${block(rerun, 'sh')}`,
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
