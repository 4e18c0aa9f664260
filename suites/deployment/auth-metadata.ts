import { type Check, check } from '../harness/check.ts'
import { decideAll } from '../harness/decide-all.ts'
import { NotApplicable } from '../harness/errors.ts'
import { at, listAt, show, textAt } from '../harness/json.ts'
import { belongings } from './auth-scene.ts'

const written = check(
  ['auth.authz.thread-metadata', 'auth.authz.context-user', 'auth.authz.assistant-metadata', 'auth.authz.run-metadata'],
  'keeps the owner that the authorization handler writes',
  async (context) => {
    const { session, deployment } = context
    const [alice, bob] = [await context.as('alice').createThread(), await context.as('bob').createThread()]
    const owners = [alice, bob].map((thread) => at(thread, 'metadata', 'owner'))
    const identities = [session.endpoint.users?.alice.identity, session.endpoint.users?.bob.identity]
    const assistant = await deployment.createAssistant(session.graph('echo'))
    const again = await deployment.getAssistant(String(at(assistant, 'assistant_id')))
    const threadId = String(at(alice, 'thread_id'))
    const run = await deployment.createRun(threadId, { text: 'owned', strategy: 'enqueue' })
    await deployment.settle(threadId, String(at(run, 'run_id')))
    const kept = (object: unknown) => typeof at(object, 'metadata', 'owner') === 'string'
    await decideAll(context, [
      {
        row: 'auth.authz.thread-metadata',
        holds: kept(alice) && kept(bob),
        what: 'the metadata of a created thread',
        expected: 'the owner that the handler wrote',
        received: at(kept(alice) ? bob : alice, 'metadata'),
      },
      {
        row: 'auth.authz.context-user',
        needs: ['auth.authz.thread-metadata'],
        holds: identities.every((identity, index) => identity === undefined || identity === owners[index]),
        what: 'the owners of two threads that two users created',
        expected: show(identities),
        received: owners,
      },
      {
        row: 'auth.authz.assistant-metadata',
        holds: kept(assistant) && kept(again),
        what: 'the metadata of a created assistant',
        expected: 'the owner that the handler wrote',
        received: at(kept(assistant) ? again : assistant, 'metadata'),
      },
      {
        row: 'auth.authz.run-metadata',
        holds: kept(run),
        what: 'the metadata of a created run',
        expected: 'the owner that the handler wrote',
        received: at(run, 'metadata'),
      },
    ])
  },
)

const threadList = check('auth.scope.thread-list', "lists only the user's own threads", async (context) => {
  const { threadId, text } = await belongings(context, 'alice', 'unlisted thread')
  const own = await context.as('alice').http.send({ method: 'GET', path: '/threads' })
  if (!own.ok || !listAt(own.json).some((thread) => textAt(thread, 'thread_id') !== undefined)) {
    throw new NotApplicable(`GET /threads returns no list of threads (${own.status})`)
  }
  const identity = context.session.endpoint.users?.alice.identity ?? threadId
  const foreign = await context.as('bob').http.send({ method: 'GET', path: '/threads' })
  const leaked = listAt(foreign.json).filter(
    (thread) => at(thread, 'thread_id') === threadId || at(thread, 'metadata', 'owner') === identity,
  )
  const hidden = leaked.length === 0 && !foreign.text.includes(text)
  context.verify(hidden, 'the list of threads', 'no thread of another user', leaked)
})

export const authMetadataChecks: readonly Check[] = [written, threadList]
