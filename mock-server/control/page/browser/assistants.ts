import { create } from '../../../../pages/browser/create.ts'
import type { AssistantDetail } from '../../inspect/inspection.ts'
import type { Api } from './api.ts'
import { instant } from './format.ts'
import { jsonBlock } from './json.ts'
import { keyed } from './keep.ts'
import { refreshed } from './refreshed.ts'
import type { View } from './view.ts'

/** The assistants with their settings. */
export function assistantsView(api: Api): View {
  const list = create('ul', { className: 'cards' })
  const show = refreshed<readonly AssistantDetail[]>(list, (assistants) =>
    assistants.length === 0
      ? [create('li', { className: 'empty' }, 'No assistants. The server has no graphs.')]
      : assistants.map(card),
  )
  return {
    name: 'assistants',
    title: 'Assistants',
    element: create('section', { className: 'plain', ariaLabel: 'Assistants' }, list),
    show: () => undefined,
    refresh: async () => show((await api.get<{ assistants: readonly AssistantDetail[] }>('assistants')).assistants),
  }
}

function card(assistant: AssistantDetail): HTMLElement {
  const { assistant_id, graph_id, name, description, version, created_at, config, context, metadata } = assistant
  return create(
    'li',
    { className: 'card' },
    create('h2', {}, name, ' ', create('span', { className: 'n' }, `graph ${graph_id}, version ${version}`)),
    ...(description === null ? [] : [create('p', {}, description)]),
    create('p', { className: 'dim' }, create('code', {}, assistant_id), ` · created ${instant(created_at)}`),
    keyed(
      create('details', {}, create('summary', {}, 'Settings'), jsonBlock({ config, context, metadata })),
      assistant_id,
    ),
  )
}
