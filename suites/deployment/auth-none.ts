import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import type { Deployment } from '../harness/deployment.ts'
import { createDeployment } from '../harness/deployment-client.ts'
import { idOf } from '../harness/id-of.ts'
import { at, show } from '../harness/json.ts'
import { creation, finds } from './auth-scene.ts'

/** The headers by which two end users can be told apart on a target without a handler of its own. */
async function endUsers({ deployment, session }: Pick<CheckContext, 'deployment' | 'session'>) {
  const named = (name: string) => ({ 'x-end-user': `touchstone-${name}` })
  const withToken = (name: string) => ({ ...named(name), authorization: `Bearer touchstone-end-user-${name}` })
  const taken = Object.keys(session.endpoint.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
  const probe = { method: 'POST', path: '/threads', body: {}, headers: withToken('probe'), intent: 'probe' } as const
  const passes = !taken && (await deployment.http.send(probe)).ok
  return passes ? withToken : named
}

/** The deployment API with headers of an end user on every request. */
function asEndUser({ http }: Deployment, session: CheckContext['session'], headers: Readonly<Record<string, string>>) {
  return createDeployment(
    {
      send: (request) => http.send({ ...request, headers: { ...headers, ...request.headers } }),
      stream: (request) => http.stream({ ...request, headers: { ...headers, ...request.headers } }),
    },
    session,
  )
}

export const authNoneChecks: readonly Check[] = [
  check(
    [
      'auth.none.threads',
      'auth.none.runs',
      'auth.none.run-create',
      'auth.none.assistants',
      'auth.none.assistant-search',
    ],
    'shares resources between end users without a handler',
    async (context) => {
      const headers = await endUsers(context)
      const [one, other] = [headers('one'), headers('other')]
      const first = asEndUser(context.deployment, context.session, one)
      const second = asEndUser(context.deployment, context.session, other)
      const text = 'left by an end user'
      const { threadId, runId } = await first.ended({ text, strategy: 'enqueue' })
      const assistant = await first.createAssistant(context.session.graph('echo'))
      const assistantId = idOf(assistant, 'assistant.fields.assistant_id')
      const get = (path: string) => second.http.send({ method: 'GET', path })
      const state = await get(`/threads/${threadId}/state`)
      const runs = await get(`/threads/${threadId}/runs`)
      const found = await get(`/assistants/${assistantId}`)
      const searched = await finds(second, assistantId)
      const created = await second.http.send(creation(context, threadId, { text: 'by another', strategy: 'enqueue' }))
      const own = await first.http.send({ method: 'GET', path: `/assistants/${assistantId}` })
      const ownRead = at(own.json, 'assistant_id') === assistantId
      const ownState = await first.http.send({ method: 'GET', path: `/threads/${threadId}/state` })
      const ownFound = await finds(first, assistantId)
      await decideAll(context, [
        {
          row: 'auth.none.threads',
          holds: state.text.includes(text),
          what: "the state of another end user's thread",
          expected: `a state that contains "${text}"`,
          received: `${state.status} ${state.text}`,
          needs: [{ row: 'state.get.answers-state', holds: ownState.ok }],
        },
        {
          row: 'auth.none.runs',
          holds: runs.text.includes(runId),
          what: "the runs of another end user's thread",
          expected: `a list that contains ${runId}`,
          received: `${runs.status} ${runs.text}`,
        },
        {
          row: 'auth.none.run-create',
          holds: created.ok && at(created.json, 'run_id') !== undefined,
          what: "a run created on another end user's thread",
          expected: 'a run',
          received: `${created.status} ${created.text}`,
        },
        {
          row: 'auth.none.assistants',
          holds: at(found.json, 'assistant_id') === assistantId,
          what: "another end user's assistant",
          expected: assistantId,
          received: `${found.status} ${found.text}`,
          needs: [{ row: 'assistant.get.that-assistant', holds: ownRead }],
        },
        {
          row: 'auth.none.assistant-search',
          holds: searched,
          what: "a search for another end user's assistant",
          expected: `${assistantId} on one of the pages`,
          received: 'pages without it',
          needs: [{ row: 'assistant.search.includes-created', holds: ownFound }],
        },
      ])
    },
  ),

  check(
    'auth.default-credential-header',
    'observes the default credential header',
    async ({ deployment, session, observe }) => {
      const names = Object.keys(session.endpoint.headers ?? {})
      const without = Object.fromEntries(names.map((name) => [name, null]))
      const { status } = await deployment.http.send({ method: 'POST', path: '/threads', body: {}, headers: without })
      const sent = names.length > 0 ? `the configuration sends ${show(names)}` : 'the configuration sends none'
      observe('auth.default-credential-header', `${sent}; without it POST /threads is answered ${status}`)
    },
    { profile: 'open' },
  ),
]
