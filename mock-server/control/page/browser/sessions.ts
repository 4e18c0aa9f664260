import { create } from '../../../../pages/browser/create.ts'
import { type Api, Refused } from './api.ts'

/** The choice of the session that is shown. */
export interface SessionChoice {
  /** Updates the list of sessions. */
  refresh(): Promise<void>
}

/** Starts the choice. `onChange` is called after another session was chosen, or the chosen one was deleted. */
export function startSessionChoice(root: Document, api: Api, onChange: () => void): SessionChoice {
  const label = root.querySelector<HTMLElement>('#sessions')
  const select = label?.querySelector('select')
  const choose = (name: string): void => {
    api.session = name
    onChange()
  }
  select?.addEventListener('change', () => choose(select.value))
  let last = ''
  let hasSessions = true
  return {
    refresh: async () => {
      if (!label || !select || !hasSessions) return
      const sessions = await listSessions(api)
      hasSessions = sessions !== undefined
      if (sessions === undefined) return
      label.hidden = sessions.length === 0
      const isDeleted = api.session !== '' && !sessions.includes(api.session)
      const text = sessions.join(' ')
      if (text !== last || isDeleted) {
        const options = sessions.map((session) => create('option', { value: session }, session))
        select.replaceChildren(create('option', { value: '' }, 'default'), ...options)
        select.value = isDeleted ? '' : api.session
      }
      last = text
      if (isDeleted) choose('')
    },
  }
}

/** Resolves with the names of the sessions; with undefined for a server that has no sessions. */
async function listSessions(api: Api): Promise<readonly string[] | undefined> {
  try {
    const { sessions } = await api.getShared<{ sessions: readonly { session: string }[] }>('sessions')
    return sessions.map(({ session }) => session)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}
