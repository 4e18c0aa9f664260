import { isDefaultAssistant } from '../../catalog/deployment/assistant.ts'
import type { UserName } from '../../harness/context.ts'
import { uniqueConfig } from '../../harness/deployment.ts'
import { NotApplicable } from '../../harness/errors.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { textAt } from '../../values/json.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import { createResources, creation, readAll, readOwn, streamCreation, streamOnThreads } from './auth-resources.ts'
import { refuseInterruption, startSleepingRun, uniqueText } from './multitask-runs.ts'

/**
 * Runs a scenario with the resources of one user and another user, then the other way around. Sequentially, because the
 * pages of concurrent searches of one user cannot be assigned to a search.
 */
async function bothWays(run: (owner: 'alice' | 'bob', other: 'alice' | 'bob') => Promise<void>): Promise<void> {
  await run('alice', 'bob')
  await run('bob', 'alice')
}

export const authScopeScenarios: readonly Scenario[] = [
  scenario(
    [
      'auth.scope.own-state',
      'auth.scope.own-runs',
      'auth.scope.own-assistant',
      'auth.scope.own-assistant-found',
      'auth.scope.state',
      'auth.scope.run-list',
      'auth.scope.run-get',
      'auth.scope.run-join',
      'auth.scope.assistant-get',
      'auth.scope.assistant-search',
      'auth.scope.both-ways',
    ],
    'hides resources from another user',
    (context) =>
      bothWays(async (owner, other) => {
        const resources = await createResources(context.as(owner))
        const { http, thread } = context.as(other)
        await readOwn(context.session, context.as(owner), resources)
        await readAll(context.as(other), resources)
        // A run must not be found under a thread of another user, either.
        const run = `/threads/${await thread()}/runs/${resources.runId}`
        for (const path of [run, `${run}/join`]) await http.send({ method: 'GET', path })
        // A refusal to another user must not hide resources from their owner.
        await readAll(context.as(owner), resources)
      }),
  ),

  scenario(
    ['assistant.create.fresh-id', 'auth.scope.own-assistant', 'auth.authz.assistant-metadata'],
    'creates equal assistants of two users',
    async (context) => {
      const body = { graph_id: context.session.graph('echo'), config: uniqueConfig() }
      for (const { http } of [context.as('alice'), context.as('bob')]) {
        const { json } = await http.send({ method: 'POST', path: '/assistants', body })
        const id = textAt(json, 'assistant_id')
        if (id !== undefined) await http.send({ method: 'GET', path: `/assistants/${id}` })
      }
    },
  ),

  scenario(
    ['auth.scope.assistant-get', 'auth.scope.own-assistant'],
    'hides an assistant without configuration from another user',
    async (context) => {
      const body = { graph_id: context.session.graph('echo') }
      const { json } = await context.as('alice').http.send({ method: 'POST', path: '/assistants', body })
      const id = textAt(json, 'assistant_id')
      // A server may refuse an assistant that equals an earlier one, or return that one, such as the default assistant.
      if (id === undefined || isDefaultAssistant(json)) return
      for (const user of ['alice', 'bob'] as const)
        await context.as(user).http.send({ method: 'GET', path: `/assistants/${id}` })
    },
  ),

  scenario(
    ['auth.scope.run-create', 'auth.scope.run-stream'],
    "rejects runs on another user's thread",
    async (context) => {
      const [alice, bob] = [context.as('alice'), context.as('bob')]
      const resources = await createResources(alice)
      for (const create of [creation, streamCreation]) {
        for (const threadId of [resources.threadId, await alice.thread()]) {
          await alice.listRuns(threadId)
          const own = create(context, await bob.thread(), uniqueText())
          const { path } = create(context, threadId, '')
          await context.negative(own, { path }, 'bob')
          await alice.listRuns(threadId)
          // A refused request must not lock the thread.
          await alice.runToEnd({ text: 'after a refused request', strategy: 'enqueue' }, threadId)
          await alice.state(threadId)
        }
      }
      // Nor must it make the thread readable.
      await readAll(alice, resources)
      await readAll(bob, resources)
    },
  ),

  scenario(
    ['auth.scope.run-create', 'auth.scope.run-stream', 'auth.refused.creates-no-run', 'auth.refused.streams-no-run'],
    'does not interrupt a run for requests of others',
    async (context) => {
      const senders = (['bob', 'invalid', 'nobody'] as const).map(context.as)
      const refuse = (isStream: boolean) => senders.map((sender) => refuseInterruption(context, sender, { isStream }))
      await Promise.all([false, true].flatMap(refuse))
    },
  ),

  scenario(
    ['auth.scope.state', 'auth.scope.run-list', 'auth.scope.run-get', 'auth.scope.run-join', 'auth.scope.run-create'],
    'hides a thread from another user while a run executes',
    (context) =>
      retryWithLongerSleep(context, async (ms) => {
        const owner = context.as('alice')
        const sender = { deployment: owner, session: context.session }
        const threadId = await owner.thread()
        const { id, deadline } = await startSleepingRun(sender, threadId, uniqueText(), 'enqueue', ms)
        const paths = ['/state', '/runs', `/runs/${id}`].map((path) => `/threads/${threadId}${path}`)
        for (const user of ['alice', 'bob'] as const)
          for (const path of paths) await context.as(user).http.send({ method: 'GET', path })
        const own = creation(context, await context.as('bob').thread(), 'by another user')
        await context.negative(own, { path: creation(context, threadId, 'by another user').path }, 'bob')
        await context.as('bob').http.send({ method: 'GET', path: `/threads/${threadId}/runs/${id}/join` })
        const isInTime = performance.now() < deadline
        await owner.waitForEnd(threadId, id)
        await owner.listRuns(threadId)
        return isInTime
      }),
  ),

  scenario(
    ['auth.scope.state', 'auth.scope.run-list'],
    'hides a thread with a streamed run from another user',
    async (context) => {
      const owner = context.as('alice')
      const threadId = await owner.thread()
      const stream = await owner.streamToEnd(threadId, { text: `kept ${crypto.randomUUID()}`, streamMode: ['updates'] })
      await owner.waitForEnd(threadId, streamedRunId(stream))
      for (const user of ['alice', 'bob'] as const)
        for (const path of ['state', 'runs'])
          await context.as(user).http.send({ method: 'GET', path: `/threads/${threadId}/${path}` })
    },
  ),

  scenario(['auth.scope.side-by-side'], 'separates the threads of concurrent users', (context) =>
    bothWays(async (owner, other) => {
      const { threadId } = await createResources(context.as(owner))
      const read = (user: UserName) => context.as(user).http.send({ method: 'GET', path: `/threads/${threadId}/state` })
      for (const user of [owner, other]) await read(user)
      await Promise.all([owner, other, owner, other, owner, other].map(read))
    }),
  ),

  scenario(['auth.scope.thread-list'], "lists only the user's own threads", async (context) => {
    const list = (user: UserName) => context.as(user).http.send({ method: 'GET', path: '/threads' })
    const ids = [await context.as('alice').thread(), await context.as('bob').thread()]
    const lists = [await list('alice'), await list('bob')]
    const shown = lists.map(({ json }) => JSON.stringify(json ?? null).toLowerCase()).join()
    if (!ids.some((id) => shown.includes(id.toLowerCase())))
      throw new NotApplicable(
        `GET /threads shows none of the threads that the users have created (${lists[0]?.status})`,
      )
  }),

  probe(
    ['auth.scope.hidden-status', 'auth.scope.foreign-assistant'],
    'observes responses about resources of another user',
    async (context) => {
      const { threadId, runId, assistantId } = await createResources(context.as('alice'))
      const { http, thread } = context.as('bob')
      const read = async (path: string) => {
        const { status } = await http.send({ method: 'GET', path: `/threads/${threadId}${path}` })
        return status
      }
      const [state, runs, run] = [await read('/state'), await read('/runs'), await read(`/runs/${runId}`)]
      context.observe('auth.scope.hidden-status', `state ${state}, runs ${runs}, run ${run}`)
      const body = { assistant_id: assistantId, input: { messages: [] }, multitask_strategy: 'enqueue' }
      const { status } = await http.send({ method: 'POST', path: `/threads/${await thread()}/runs`, body })
      context.observe('auth.scope.foreign-assistant', String(status))
    },
  ),

  scenario(
    [
      'auth.authz.thread-metadata',
      'auth.authz.context-user',
      'auth.authz.assistant-metadata',
      'auth.authz.run-metadata',
    ],
    'creates resources with an owner',
    async (context) => {
      for (const user of ['alice', 'bob'] as const)
        await readAll(context.as(user), await createResources(context.as(user)))
    },
  ),

  scenario(
    [
      'auth.studio.state',
      'auth.studio.run-list',
      'auth.studio.run-get',
      'auth.studio.run-join',
      'auth.studio.run-create',
      'auth.studio.run-stream',
      'auth.studio.assistant-get',
      'auth.studio.assistant-search',
      'auth.scope.own-state',
      'auth.scope.assistant-search',
      'thread.kept',
    ],
    'gives users of the development UI full access',
    async (context) => {
      if (!context.session.endpoint.users?.studio) {
        throw new NotApplicable('the configuration has no user of the visual development UI (`users.studio`)')
      }
      const resources = await createResources(context.as('alice'))
      await readOwn(context.session, context.as('alice'), resources)
      await readAll(context.as('studio'), resources)
      const studio = context.as('studio')
      await studio.http.send(creation(context, resources.threadId, 'by a developer'))
      await readAll(context.as('alice'), resources)
      // Without an owner: a search by a user must not include the assistant.
      const unowned = await createResources(context.as('studio'))
      for (const user of ['studio', 'alice'] as const) await readAll(context.as(user), unowned)
      await streamOnThreads(context, studio, [await studio.thread(), await context.as('alice').thread()])
    },
  ),
]
