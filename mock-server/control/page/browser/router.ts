import { create } from '../../../../pages/browser/create.ts'
import { hrefOf, parseHref, type View } from './view.ts'

/** The views, of which one is visible. */
export interface Router {
  readonly current: View
  /** Shows a number next to the name of a view; 0 shows none. */
  setCount(name: string, number: number): void
}

/** Shows the view in the fragment of the URL; without one, the first. `onShow` is called after each change. */
export function startRouter(root: Document, views: readonly [View, ...View[]], onShow: () => void): Router {
  const links = new Map(
    views.map(({ name, title }) => {
      const number = create('span', { className: 'n' })
      return [name, { number, link: create('a', { href: hrefOf(name) }, title, number) }]
    }),
  )
  root.querySelector('#views')?.prepend(...[...links.values()].map(({ link }) => create('li', {}, link)))
  root.querySelector('#content')?.replaceChildren(...views.map(({ element }) => element))

  let current: View = views[0]
  const show = (): void => {
    const { name, argument } = parseHref(location.hash)
    const view = views.find((candidate) => candidate.name === name)
    // A link to a part of the page does not change the view.
    if (view === undefined && location.hash !== '') return
    current = view ?? views[0]
    for (const { element } of views) element.hidden = element !== current.element
    for (const [linked, { link }] of links) link.ariaCurrent = linked === current.name ? 'page' : null
    root.title = `${current.title} · Touchstone mock server`
    current.show(argument)
    onShow()
  }
  addEventListener('hashchange', show)
  queueMicrotask(show)
  for (const { element } of views) element.hidden = element !== current.element
  return {
    get current() {
      return current
    },
    setCount: (name, number) => {
      const entry = links.get(name)
      if (entry !== undefined) entry.number.textContent = number === 0 ? '' : number.toLocaleString('en-US')
    },
  }
}
