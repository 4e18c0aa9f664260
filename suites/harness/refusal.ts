import type { RequirementId } from '../catalog/generated/ids.ts'
import { Refused } from './errors.ts'
import { show } from './json.ts'
import { type Session, sendsBearer } from './session.ts'

/** The refusal of a request that must be accepted, blamed on a row. */
export function refusal(
  session: Session,
  row: RequirementId,
  answer: { readonly status: number; readonly text: string; readonly exchange?: number },
  expected: string = 'a 2xx response',
): Refused {
  const { status, text } = answer
  const by = status === 401 && sendsBearer(session.endpoint.users?.alice.headers) ? 'auth.bearer.accepted' : row
  return new Refused(by, expected, `${status} ${show(text, 300)}`, answer)
}
