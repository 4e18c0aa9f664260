/** A part of the page that the navigation opens. */
export interface View {
  /** Its name in the fragment of the URL: `#requests`, `#requests/12`. */
  readonly name: string
  readonly title: string
  readonly element: HTMLElement
  /** Called when the view becomes visible, and with each new argument: the text after its name in the URL. */
  show(argument: string): void
  /** Called every second while the view is visible, and after a change of the session. Rejects with Refused. */
  refresh(): Promise<void>
}

/** Returns the fragment of a view. */
export function hrefOf(name: string, argument = ''): string {
  return argument === '' ? `#${name}` : `#${name}/${encodeURIComponent(argument)}`
}

/** Returns the name and the argument of a view in a fragment. */
export function parseHref(hash: string): { name: string; argument: string } {
  const [, name = '', argument = ''] = /^#([^/]*)\/?(.*)$/s.exec(hash) ?? []
  try {
    return { name, argument: decodeURIComponent(argument) }
  } catch {
    return { name, argument }
  }
}
