import { isObject } from '../catalog/facts.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { defaultAssistants, type FoundDefault } from '../harness/assistants.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { Blocked } from '../harness/errors.ts'
import { show, textAt } from '../harness/json.ts'
import { plainAssistant } from '../harness/run-sample.ts'

const exists = ({ listed, got }: FoundDefault): boolean => listed !== undefined || got?.ok === true
const names = (found: readonly FoundDefault[]): string => found.map(({ graph }) => graph).join(', ')

/** The row that GET of a created assistant breaks. */
async function brokenGet({ deployment, session }: CheckContext): Promise<RequirementId | undefined> {
  const id = await plainAssistant({ deployment, session })
  const { ok, json } = await deployment.http.send({ method: 'GET', path: `/assistants/${id}` })
  if (!ok || !isObject(json)) return 'assistant.get.answers-assistant'
  return textAt(json, 'assistant_id') === id ? undefined : 'assistant.get.that-assistant'
}

export const assistantDefaultChecks: readonly Check[] = [
  check(
    ['assistant.default.exists', 'assistant.search.includes-default', 'assistant.get.default'],
    'finds a default assistant for each graph',
    async (context) => {
      const { decide, verify } = context
      const found = await defaultAssistants(context)
      const there = found.filter(exists)
      await decide('assistant.default.exists', () => {
        const missing = found.filter((one) => !exists(one))
        verify(
          missing.length === 0,
          `default assistants of ${names(found)}`,
          'one each',
          `no default assistant of ${names(missing)}`,
        )
      })
      if (there.length === 0) throw new Blocked('assistant.default.exists', 'no default assistant')
      await decide('assistant.search.includes-default', () => {
        const hidden = there.filter(({ listed }) => listed === undefined)
        verify(
          hidden.length === 0,
          'all pages of the search',
          'the default assistants',
          `no assistant of ${names(hidden)}`,
        )
      })
      await decide('assistant.get.default', async () => {
        const broken = await brokenGet(context)
        if (broken) throw new Blocked(broken, 'nor can a created assistant be read')
        const wrong = there.find(({ id, got }) => !got?.ok || (textAt(got.json, 'assistant_id') ?? id) !== id)
        const received = wrong?.got && `${wrong.got.status} ${show(wrong.got.text, 300)}`
        verify(!wrong, `GET /assistants/${wrong?.id}`, 'the default assistant', received ?? 'no id to ask for')
      })
    },
    { profile: 'open' },
  ),

  check(
    'assistant.default.runs',
    'runs a default assistant by id',
    async (context) => {
      const [found] = (await defaultAssistants(context)).filter(({ id }) => id !== undefined)
      if (!found?.id) throw new Blocked('assistant.default.exists', 'no default assistant')
      const threadId = await context.deployment.thread()
      await context.deployment.settle(threadId, await context.deployment.startRun(threadId, { assistantId: found.id }))
    },
    { profile: 'open' },
  ),
]
