const key = 'touchstone-theme'

/** Lets a button switch between the light and the dark theme; the choice is kept where the browser allows it. */
export function offerTheme(root: Document): void {
  const button = root.querySelector<HTMLButtonElement>('#theme')
  if (button === null) return
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const element = root.documentElement
  const current = () => element.dataset['theme'] ?? (dark.matches ? 'dark' : 'light')
  const label = () => {
    button.textContent = current() === 'dark' ? 'Light theme' : 'Dark theme'
  }
  const kept = stored()
  if (kept === 'dark' || kept === 'light') element.dataset['theme'] = kept
  button.hidden = false
  button.addEventListener('click', () => {
    const next = current() === 'dark' ? 'light' : 'dark'
    element.dataset['theme'] = next
    store(next)
    label()
  })
  dark.addEventListener('change', label)
  label()
}

function stored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(theme: string): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Some browsers give a page from a file no storage: the choice then holds for this visit.
  }
}
