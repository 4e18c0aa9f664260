import { setTimeout } from 'node:timers/promises'
import { isObject } from '../../catalog/facts.ts'
import { retryPauseMs } from '../../harness/back-off.ts'
import type { Deployment } from '../../harness/deployment.ts'
import { Inconclusive, ignoreLoss, NotApplicable } from '../../harness/errors.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { sendsBearer } from '../../harness/session.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { at, listAt, show } from '../../values/json.ts'
import { probe, type Scenario, scenario } from '../scenario.ts'
import { whoami } from './auth-resources.ts'
import { startSleepingRun, uniqueText, waitAndReadState } from './multitask-runs.ts'

/** Joins a run while another user reads, so that the latest request before the run executes is not by its owner. */
async function joinDuringReads({ owner, other, threadId, runId }: JoinedByOwner): Promise<void> {
  const path = `/threads/${await other.thread()}/runs`
  const joining = owner.http.send({ method: 'GET', path: `/threads/${threadId}/runs/${runId}/join` }).catch(ignoreLoss)
  const returned = joining.then(() => 'returned' as const)
  let reads = 0
  do {
    reads += 1
    await other.http.send({ method: 'GET', path })
  } while ((await Promise.race([returned, setTimeout(retryPauseMs(reads))])) !== 'returned')
}

interface JoinedByOwner {
  readonly owner: Deployment
  readonly other: Deployment
  readonly threadId: string
  readonly runId: string
}

export const authUserScenarios: readonly Scenario[] = [
  scenario(
    ['auth.user.placed', 'auth.user.identity', 'auth.user.custom-fields'],
    'passes the authenticated user to the graph',
    async (context) => {
      await whoami(context, ['alice'])
      const alice = context.as('alice')
      const threadId = await alice.thread()
      for (const text of ['who runs', 'who runs again'])
        await alice.runToEnd({ graph: 'whoami', text, strategy: 'enqueue' }, threadId)
      await alice.state(threadId)
      const { endpoint, endpointName } = context.session
      if (Object.keys(endpoint.users?.alice.fields ?? {}).length > 0) return
      const unlock = `set endpoints.${endpointName}.users.alice.fields in the configuration`
      throw new Inconclusive('the configuration has no custom fields', unlock)
    },
  ),

  scenario(
    ['auth.handler.receives-headers', 'auth.handler.lower-cased'],
    'passes request headers to the handler',
    async (context) => {
      const [result] = await whoami(context, ['alice'], { 'X-Touchstone-Probe': 'seen by the handler' })
      if (listAt(result?.user, 'header_names').length > 0) return
      if (!isObject(result?.user))
        throw new Inconclusive(
          'expected a message of the graph whoami with the user, received a state without it',
          'show the messages of a run in the state as soon as its status is final',
        )
      const unlock = 'deploy the authentication handler of the test graphs'
      throw new Inconclusive('the user object does not contain the header names that the handler received', unlock)
    },
  ),

  scenario(
    ['auth.user.streamed-run', 'auth.user.second-user', 'auth.user.side-by-side'],
    'passes the authenticated user to streamed runs',
    async (context) => {
      await whoami(context, ['alice'])
      const streamAs = async (user: 'alice' | 'bob', usedThread?: string) => {
        const deployment = context.as(user)
        const threadId = usedThread ?? (await deployment.thread())
        const request = { graph: 'whoami', text: 'who streams', streamMode: ['updates'] } as const
        await deployment.waitForEnd(threadId, streamedRunId(await deployment.streamToEnd(threadId, request)))
        await deployment.state(threadId)
        return threadId
      }
      const threadId = await streamAs('alice')
      await streamAs('bob')
      await Promise.all([streamAs('alice'), streamAs('bob')])
      await streamAs('alice', threadId)
    },
  ),

  scenario(
    [
      'auth.user.placed',
      'auth.user.identity',
      'auth.user.side-by-side',
      'multitask.enqueue.earlier-outputs',
      'multitask.enqueue.all-messages',
      'service.multitask.new-run-decides',
    ],
    'passes each user to their queued and interrupting runs',
    async (context) => {
      if (!context.session.endpoint.users) return
      await whoami(context, ['alice'])
      const { session } = context
      const users = [
        { owner: context.as('alice'), other: context.as('bob') },
        { owner: context.as('bob'), other: undefined },
      ]
      for (const strategy of ['enqueue', 'interrupt'] as const) {
        await retryWithLongerSleep(context, async (ms) => {
          // Both users in each attempt, so that their runs wait at the same time.
          const runs = users.map(async ({ owner, other }) => {
            const sender = { deployment: owner, session }
            const threadId = await owner.thread()
            const { id, deadline } = await startSleepingRun(sender, threadId, uniqueText(), 'enqueue', ms)
            const next = await owner.startRun(threadId, { graph: 'whoami', text: 'who comes next', strategy })
            const isInTime = performance.now() < deadline
            if (other && strategy === 'enqueue') await joinDuringReads({ owner, other, threadId, runId: next })
            await waitAndReadState(sender, threadId, [id, next])
            return isInTime
          })
          return (await Promise.all(runs)).every(Boolean)
        })
      }
    },
  ),

  scenario(
    ['auth.user.second-user', 'auth.user.side-by-side'],
    'passes each user to their own runs',
    async (context) => {
      for (const users of [['alice'], ['bob'], ['alice', 'bob', 'alice', 'bob', 'alice', 'bob']] as const)
        await whoami(context, users)
    },
  ),

  probe(
    ['auth.user.run-record', 'auth.user.user-id', 'auth.studio.user'],
    'observes how runs show the user',
    async (context) => {
      const [result] = await whoami(context, ['alice'])
      const configurable = at(result?.run, 'kwargs', 'config', 'configurable')
      const keys = Object.keys(Object(configurable)).filter((name) => name.endsWith('graph_auth_user'))
      context.observe('auth.user.run-record', keys.sort().join(', ') || 'not shown')
      context.observe('auth.user.user-id', show(at(configurable, 'user_id')))
      if (!context.session.endpoint.users?.studio) {
        throw new NotApplicable('the configuration has no user of the visual development UI (`users.studio`)')
      }
      const [developer] = await whoami(context, ['studio'])
      const description = `identity ${show(at(developer?.user, 'identity'))}, kind ${show(at(developer?.user, 'kind'))}`
      context.observe(
        'auth.studio.user',
        isObject(developer?.user) ? description : `no object, but a ${typeof developer?.user}`,
      )
    },
  ),

  scenario(['auth.bearer.accepted'], 'accepts bearer tokens', async ({ deployment, session }) => {
    if (!sendsBearer(session.endpoint.users?.alice.headers)) {
      throw new NotApplicable('the users of this endpoint do not send bearer tokens')
    }
    await deployment.createThread()
  }),

  probe('auth.token-rules', 'observes other forms of bearer tokens', async ({ deployment, session, observe }) => {
    const headers = Object.entries(session.endpoint.users?.alice.headers ?? {})
    const token = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
    const variants = [
      ['the scheme in lower case', token.replace(/^Bearer /, 'bearer ')],
      ['the token without its scheme', token.replace(/^Bearer /i, '')],
    ] as const
    const observed = []
    for (const [name, authorization] of variants) {
      const request = { method: 'POST', path: '/threads', body: {}, headers: { authorization } } as const
      observed.push(`${name}: ${(await deployment.http.send(request)).status}`)
    }
    observe('auth.token-rules', token === '' ? 'no token in the configuration' : observed.join(', '))
  }),
]
