import { isObject } from '../catalog/facts.ts'
import type { RequirementId } from '../catalog/generated/ids.ts'
import { type Check, check } from '../harness/check.ts'
import type { CheckContext } from '../harness/context.ts'
import { decideAll } from '../harness/decide-all.ts'
import { Inconclusive, NotApplicable } from '../harness/errors.ts'
import { at, listAt, show } from '../harness/json.ts'
import { type Stage, told, whoami, whoamiTogether } from './auth-scene.ts'

/** What the configuration says of a user, as far as it says it. */
function declared({ session }: Pick<CheckContext, 'session'>, user: 'alice' | 'bob') {
  const { identity, fields = {} } = session.endpoint.users?.[user] ?? {}
  return { identity, fields }
}

function hasIdentity(stage: Stage, user: 'alice' | 'bob', seen: unknown): boolean {
  const { identity } = declared(stage, user)
  const found = at(seen, 'identity')
  return identity === undefined ? typeof found === 'string' && found !== '' : found === identity
}

/** Whether the object holds at least the fields that the configuration names. */
function hasFields(stage: Stage, user: 'alice' | 'bob', seen: unknown): boolean {
  return Object.entries(declared(stage, user).fields).every(([name, value]) => show(at(seen, name)) === show(value))
}

function needFields(stage: Stage, user: 'alice' | 'bob'): void {
  if (Object.keys(declared(stage, user).fields).length > 0) return
  const unlock = `set endpoints.${stage.session.endpointName}.users.${user}.fields in the configuration`
  throw new Inconclusive('the configuration has no custom fields', unlock)
}

const placed = check(
  [
    'auth.user.placed',
    'auth.user.identity',
    'auth.user.custom-fields',
    'auth.handler.receives-headers',
    'auth.handler.lower-cased',
    'auth.user.run-record',
    'auth.user.user-id',
  ],
  'passes the authenticated user to the graph',
  async (context) => {
    const { user, run } = await whoami(context, 'alice', { 'X-Touchstone-Probe': 'seen by the handler' })
    const seen = { what: 'the user object that the graph sees', received: user }
    await decideAll(context, [
      { row: 'auth.user.placed', holds: isObject(user), expected: 'an object', ...seen },
      {
        row: 'auth.user.identity',
        needs: ['auth.user.placed'],
        holds: hasIdentity(context, 'alice', user),
        expected: `the identity ${show(declared(context, 'alice').identity)}`,
        ...seen,
      },
    ])
    if (isObject(user)) {
      await context.decide('auth.user.custom-fields', () => {
        needFields(context, 'alice')
        const expected = `at least ${show(declared(context, 'alice').fields)}`
        context.verify(hasFields(context, 'alice', user), seen.what, expected, user)
      })
    } else {
      context.block('auth.user.custom-fields', 'auth.user.placed', 'the graph sees no user object')
    }
    await decideHeaders(context, user)
    const configurable = at(run, 'kwargs', 'config', 'configurable')
    const keys = Object.keys(Object(configurable)).filter((name) => name.endsWith('graph_auth_user'))
    context.observe('auth.user.run-record', keys.sort().join(', ') || 'not shown')
    context.observe('auth.user.user-id', show(at(configurable, 'user_id')))
  },
)

async function decideHeaders(
  context: Pick<
    CheckContext<'auth.handler.receives-headers' | 'auth.handler.lower-cased'>,
    'decide' | 'block' | 'verify'
  >,
  user: unknown,
): Promise<void> {
  const rows = ['auth.handler.receives-headers', 'auth.handler.lower-cased'] as const
  if (!isObject(user)) {
    for (const row of rows) context.block(row, 'auth.user.placed', 'the graph sees no user object')
    return
  }
  const names = listAt(user, 'header_names').map(String)
  const needNames = () => {
    if (names.length > 0) return
    const unlock = 'deploy the authentication handler of the test graphs'
    throw new Inconclusive('the user object does not contain the header names that the handler received', unlock)
  }
  await context.decide('auth.handler.receives-headers', () => {
    needNames()
    const found = names.some((name) => name.toLowerCase() === 'x-touchstone-probe')
    context.verify(found, 'the header names that the handler received', 'x-touchstone-probe among them', names)
  })
  await context.decide('auth.handler.lower-cased', () => {
    needNames()
    const lower = names.every((name) => name === name.toLowerCase())
    context.verify(lower, 'the header names that the handler received', 'names in lower case', names)
  })
}

/** What a plain run of the first user shows: where that is wrong already, its own rows say so. */
async function plainUser(context: Stage): Promise<readonly { row: RequirementId; holds: boolean }[]> {
  const { user } = await context.session.once('whoami of alice', () => whoami(context, 'alice'))
  return [
    { row: 'auth.user.placed', holds: isObject(user) },
    { row: 'auth.user.identity', holds: hasIdentity(context, 'alice', user) },
    { row: 'auth.user.custom-fields', holds: hasFields(context, 'alice', user) },
  ]
}

const streamed = check('auth.user.streamed-run', 'passes the authenticated user to streamed runs', async (context) => {
  const needs = await plainUser(context)
  const { deployment } = context
  const threadId = await deployment.thread()
  await deployment.streamed(threadId, { graph: 'whoami', text: 'who streams', streamMode: ['updates'] })
  const { user } = told(await deployment.state(threadId))
  await decideAll(context, [
    {
      row: 'auth.user.streamed-run',
      needs,
      holds: hasIdentity(context, 'alice', user) && hasFields(context, 'alice', user),
      what: 'the user object that the graph of a streamed run sees',
      expected: `at least ${show(declared(context, 'alice'))}`,
      received: user,
    },
  ])
})

const second = check('auth.user.second-user', 'passes the second user to the graph', async (context) => {
  const needs = await plainUser(context)
  const { user } = await whoami(context, 'bob')
  await decideAll(context, [
    {
      row: 'auth.user.second-user',
      needs,
      holds: hasIdentity(context, 'bob', user) && hasFields(context, 'bob', user),
      what: "the user object that the second user's run sees",
      expected: `at least ${show(declared(context, 'bob'))}`,
      received: user,
    },
  ])
})

const sideBySide = check('auth.user.side-by-side', 'passes each user to their own concurrent run', async (context) => {
  const alone = {
    row: 'auth.user.second-user' as const,
    holds: hasIdentity(context, 'bob', (await whoami(context, 'bob')).user),
  }
  const needs = [...(await plainUser(context)), alone] as const
  const users = ['alice', 'bob', 'alice', 'bob', 'alice', 'bob'] as const
  const together = await whoamiTogether(context, users)
  const seen = users.map((user, index) => ({ user, told: together[index]?.user }))
  const wrong = seen.find(({ user, told }) => !hasIdentity(context, user, told))
  await decideAll(context, [
    {
      row: 'auth.user.side-by-side',
      needs,
      holds: wrong === undefined,
      what: `the user object that a concurrent run of ${wrong?.user} sees`,
      expected: `the user ${wrong?.user}`,
      received: wrong?.told,
    },
  ])
})

const bearer = check(
  ['auth.bearer.accepted', 'auth.token-rules'],
  'accepts bearer tokens',
  async ({ deployment, session, decide, verify, observe }) => {
    const own = Object.entries(session.endpoint.users?.alice.headers ?? {})
    const token = own.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
    const request = { method: 'POST', path: '/threads', body: {} } as const
    await decide('auth.bearer.accepted', async () => {
      if (!/^bearer /i.test(token)) throw new NotApplicable('the users of this endpoint do not send bearer tokens')
      const { ok, status, text } = await deployment.http.send(request)
      verify(ok, 'POST /threads with a bearer token', 'a 2xx response', `${status} ${text}`)
    })
    const variants = [
      ['the scheme in lower case', token.replace(/^Bearer /, 'bearer ')],
      ['the token without its scheme', token.replace(/^Bearer /i, '')],
    ] as const
    const told = []
    for (const [name, authorization] of variants) {
      const answer = await deployment.http.send({ ...request, headers: { authorization }, intent: 'probe' })
      told.push(`${name}: ${answer.status}`)
    }
    observe('auth.token-rules', token === '' ? 'no token in the configuration' : told.join(', '))
  },
)

export const authUserChecks: readonly Check[] = [placed, streamed, second, sideBySide, bearer]
