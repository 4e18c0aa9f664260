import { create } from '../../../../pages/browser/create.ts'
import type { ScriptCount } from '../../../scripting/scripts.ts'
import { type Api, Refused } from './api.ts'
import { attempt } from './attempt.ts'
import { createForm, field } from './form.ts'
import { count } from './format.ts'
import { keyed } from './keep.ts'
import { refreshed } from './refreshed.ts'
import { hrefOf, type View } from './view.ts'

const EXAMPLE = '{ "replies": ["Hello!", "How can I help?"], "repeat": true }'

/** The scripts of graphs, and a form that sets one. */
export function scriptsView(api: Api): View {
  const list = create('ul', { className: 'cards' })
  const graph = create('input', { name: 'graph', spellcheck: false, autocomplete: 'off', placeholder: 'support' })
  const script = create('textarea', { name: 'script', rows: 14, spellcheck: false, placeholder: EXAMPLE })

  const remove = async (name: string): Promise<void> => {
    await api.send('DELETE', `scripts/${encodeURIComponent(name)}`)
    await view.refresh()
  }
  const show = refreshed<readonly ScriptCount[]>(list, (scripts) =>
    scripts.length === 0
      ? [create('li', { className: 'empty' }, 'No scripts. Every graph runs its own code.')]
      : scripts.map((item) => card(item, () => attempt(remove(item.graph)))),
  )
  const form = createForm(
    'Set a script',
    [
      create('h2', {}, 'Set a script'),
      field('Graph', graph),
      field('Script', script, 'JSON: a list of replies, or an object with replies or rules'),
      create('button', { className: 'button primary' }, 'Set'),
    ],
    async () => {
      if (graph.value === '') throw new Refused(0, 'Field "graph": expected the name of a graph, received nothing')
      if (script.value.trim() === '')
        throw new Refused(0, `Field "script": expected JSON such as ${EXAMPLE}, received nothing`)
      await api.send('PUT', `scripts/${encodeURIComponent(graph.value)}`, script.value)
      await view.refresh()
      return `Set the script of ${graph.value}.`
    },
  )
  const edit = async (name: string): Promise<void> => {
    graph.value = name
    // The same link then works again.
    history.replaceState(null, '', hrefOf('scripts'))
    try {
      script.value = JSON.stringify(await api.get(`scripts/${encodeURIComponent(name)}`), null, 2)
      form.report('')
    } catch (error) {
      script.value = ''
      form.report(error instanceof Error ? error.message : String(error))
    }
  }
  const view: View = {
    name: 'scripts',
    title: 'Scripts',
    element: create('section', { className: 'plain columns', ariaLabel: 'Scripts' }, list, form.element),
    show: (name) => {
      if (name !== '') void edit(name)
    },
    refresh: async () => show((await api.get<{ scripts: readonly ScriptCount[] }>('scripts')).scripts),
  }
  return view
}

function card({ graph, taken }: ScriptCount, remove: () => void): HTMLElement {
  const button = create('button', { type: 'button', className: 'button', onclick: remove }, 'Remove')
  button.ariaLabel = `Remove the script of ${graph}`
  const link = create('a', { className: 'button', href: hrefOf('scripts', graph) }, 'Show')
  link.ariaLabel = `Show the script of ${graph}`
  return create(
    'li',
    { className: 'card' },
    create('h2', {}, graph),
    create('p', { className: 'dim' }, `${count(taken, 'run')} took a reply`),
    create('p', { className: 'actions' }, keyed(link, `show ${graph}`), keyed(button, `remove ${graph}`)),
  )
}
