import { isDeepStrictEqual } from 'node:util'
import { unknownId } from '../catalog/deployment/run-places.ts'
import { isObject } from '../catalog/facts.ts'
import { answerShape } from '../harness/answer-shape.ts'
import { documented, markedConfig } from '../harness/assistants.ts'
import { type Check, check } from '../harness/check.ts'
import { Blocked } from '../harness/errors.ts'
import { idOf } from '../harness/id-of.ts'
import { at, show } from '../harness/json.ts'

export const assistantGetChecks: readonly Check[] = [
  check(
    ['assistant.get.answers-assistant', 'assistant.get.that-assistant', 'assistant.get.as-created'],
    'reads assistants by id',
    async ({ deployment, session, decide, block, verify }) => {
      const make = () => deployment.createAssistant(session.graph('any'), { config: markedConfig() })
      const made = [await make(), await make()]
      const ids = made.map((one) => idOf(one, 'assistant.fields.assistant_id'))
      if (ids[0] === ids[1]) throw new Blocked('assistant.create.fresh-id', 'both have the same id')
      const got = await Promise.all(ids.map((id) => deployment.getAssistant(id)))
      await decide('assistant.get.answers-assistant', () => {
        verify(got.every(isObject), 'GET /assistants/{assistant_id}', 'an assistant', got)
      })
      if (!got.every(isObject)) throw new Blocked('assistant.get.answers-assistant', 'received no assistant')
      const found = got.map((one) => at(one, 'assistant_id'))
      const right = found.every((id, index) => id === ids[index])
      await decide('assistant.get.that-assistant', () => {
        verify(right, 'assistant_id in the responses to two GET requests', ids.join(', '), found)
      })
      if (!right) return block('assistant.get.as-created', 'assistant.get.that-assistant', 'received another assistant')
      await decide('assistant.get.as-created', () => {
        const [seen, expected] = [got.map(documented), made.map(documented)]
        verify(isDeepStrictEqual(seen, expected), 'GET of two created assistants', show(expected), seen)
      })
    },
  ),

  check(
    ['assistant.get.unknown-id', 'assistant.get.malformed-id', 'assistant.get.graph-name'],
    'observes responses for unknown assistants',
    async ({ deployment, session, observe }) => {
      const ask = async (id: string) => {
        return answerShape(await deployment.http.send({ method: 'GET', path: `/assistants/${id}`, judged: true }))
      }
      observe('assistant.get.unknown-id', await ask(unknownId))
      observe('assistant.get.malformed-id', await ask('no-uuid'))
      observe('assistant.get.graph-name', await ask(session.graph('any')))
    },
  ),
]
