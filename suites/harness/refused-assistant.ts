import type { RequirementId } from '../catalog/generated/ids.ts'
import type { Http } from './http.ts'
import { textAt } from './json.ts'
import type { Session } from './session.ts'

const path = '/assistants'

/** The row that a refused creation of an assistant breaks: that of its form, unless the other form is refused too. */
export async function assistantRefusedBy(http: Http, session: Session, withConfig: boolean): Promise<RequirementId> {
  const graph_id = session.graph('any')
  const other = withConfig ? { graph_id } : { graph_id, config: { configurable: {} } }
  const { ok } = await http.send({ method: 'POST', path, body: other })
  if (!ok) return 'assistant.create.answers-assistant'
  return withConfig ? 'assistant.create.config-accepted' : 'assistant.create.config-optional'
}

/** The id of a new assistant; empty where none is made. */
export async function createdId(http: Http, session: Session): Promise<readonly string[]> {
  const id = textAt(
    (await http.send({ method: 'POST', path, body: { graph_id: session.graph('any') } })).json,
    'assistant_id',
  )
  return id === undefined ? [] : [id]
}
