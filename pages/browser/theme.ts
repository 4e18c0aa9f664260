const key = 'touchstone-theme'

/** Starts the button that switches between the light and the dark theme. The choice is stored if the browser allows it. */
export function startThemeButton(root: Document): void {
  const button = root.querySelector<HTMLButtonElement>('#theme')
  if (button === null) return
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const element = root.documentElement
  const current = () => element.dataset['theme'] ?? (dark.matches ? 'dark' : 'light')
  const label = () => {
    button.textContent = current() === 'dark' ? 'Light theme' : 'Dark theme'
  }
  const choice = storedTheme()
  if (choice === 'dark' || choice === 'light') element.dataset['theme'] = choice
  button.hidden = false
  button.addEventListener('click', () => {
    const next = current() === 'dark' ? 'light' : 'dark'
    element.dataset['theme'] = next
    storeTheme(next)
    label()
  })
  dark.addEventListener('change', label)
  label()
}

function storedTheme(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function storeTheme(theme: string): void {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Some browsers have no storage for local files. The choice then ends with this visit.
  }
}
