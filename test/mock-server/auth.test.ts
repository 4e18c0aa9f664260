import { Auth, HTTPException, isStudioUser } from '@langchain/langgraph-sdk/auth'
import { describe, expect, test } from 'vitest'
import { createAuthEngine } from '../../mock-server/deployment/auth/engine.ts'
import { matches } from '../../mock-server/deployment/auth/filter.ts'
import type { AuthHandlers, AuthUser } from '../../mock-server/deployment/auth/types.ts'
import { ApiError } from '../../mock-server/http/errors.ts'

const alice: AuthUser = { identity: 'alice', permissions: ['threads:read'] }

function request(headers: Record<string, string> = {}): Request {
  return new Request('http://mock.test/threads', { method: 'POST', body: '{}', headers })
}

async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => Promise.reject(new Error('nothing was refused')),
    (error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    },
  )
}

/** Handlers as the public SDK's `Auth` keeps them. */
function handlersOf(auth: object): AuthHandlers {
  return Reflect.get(auth, '~handlerCache')
}

/** An engine whose authorization handlers are these. */
function authorizing(callbacks: NonNullable<AuthHandlers['callbacks']>): ReturnType<typeof createAuthEngine> {
  return createAuthEngine({ authenticate: () => 'alice', callbacks })
}

describe('without handlers', () => {
  const engine = createAuthEngine(undefined)

  test('everybody may do everything', async () => {
    expect(engine.enabled).toBe(false)
    expect(await engine.authenticate(request())).toBeUndefined()
    expect(await engine.authorize(undefined, 'threads', 'read', {})).toBeUndefined()
  })
})

describe('authenticate', () => {
  test('gives the user as the handler returned it, with the public defaults', async () => {
    const engine = createAuthEngine({ authenticate: () => ({ identity: 'alice', org_id: 'org-1' }) })
    expect(await engine.authenticate(request())).toEqual({
      identity: 'alice',
      org_id: 'org-1',
      display_name: 'alice',
      is_authenticated: true,
      permissions: [],
    })
  })

  test('takes a string as the identity', async () => {
    const user = await createAuthEngine({ authenticate: () => 'bob' }).authenticate(request())
    expect(user?.identity).toBe('bob')
  })

  test('shows the handler header names in lower case', async () => {
    const names: string[] = []
    const engine = createAuthEngine({
      authenticate: (incoming) => {
        names.push(...incoming.headers.keys())
        return 'alice'
      },
    })
    await engine.authenticate(request({ Authorization: 'Bearer x', 'X-Api-KEY': 'y' }))
    expect(names).toEqual(expect.arrayContaining(['authorization', 'x-api-key']))
  })

  test('leaves the body to the endpoint', async () => {
    const engine = createAuthEngine({ authenticate: async (incoming) => `alice${await incoming.text()}` })
    const incoming = request()
    await engine.authenticate(incoming)
    expect(await incoming.text()).toBe('{}')
  })

  test('refuses with the detail, the status and the headers of a thrown HTTP error', async () => {
    const auth = new Auth().authenticate(() => {
      throw new HTTPException(418, { message: 'no tea', headers: { 'x-why': 'because' } })
    })
    const error = await refusal(createAuthEngine(handlersOf(auth)).authenticate(request()))
    expect(error).toMatchObject({
      kind: 'unauthorized',
      message: 'no tea',
      details: { status: 418, headers: { 'x-why': 'because' } },
    })
  })

  test('refuses, and tells nothing of it, when the handler fails in another way', async () => {
    const engine = createAuthEngine({
      authenticate: () => {
        throw new TypeError('password of the store is hunter2')
      },
    })
    const error = await refusal(engine.authenticate(request()))
    expect(error.kind).toBe('unauthorized')
    expect(error.details.status).toBeUndefined()
    expect(error.message).toBe('The authentication handler failed with an unexpected TypeError')
  })

  test.each([[undefined], [null], [{}], [{ identity: '' }], [{ identity: 7 }], [true], ['']])(
    'refuses when the handler names no identity: %j',
    async (answer) => {
      const error = await refusal(createAuthEngine({ authenticate: () => answer }).authenticate(request()))
      expect(error).toMatchObject({ kind: 'unauthorized', message: 'The authentication handler returned no identity' })
    },
  )

  test('lets users of the visual development UI in without the handler', async () => {
    const refuse = (): never => {
      throw new HTTPException(401, { message: 'no' })
    }
    const studio = request({ 'x-auth-scheme': 'langsmith' })
    const user = await createAuthEngine({ authenticate: refuse }).authenticate(studio)
    expect(user).toMatchObject({ kind: 'StudioUser', identity: 'langgraph-studio-user' })
    const error = await refusal(
      createAuthEngine({ authenticate: refuse, disable_studio_auth: true }).authenticate(studio),
    )
    expect(error.kind).toBe('unauthorized')
  })

  test('handlers that authorize but do not authenticate are refused when the server starts', () => {
    expect(() => createAuthEngine({ callbacks: { '*': () => true } })).toThrow('do not authenticate')
  })
})

describe('authorize', () => {
  test('asks the most specific handler and no other', async () => {
    const asked: string[] = []
    const note = (name: string) => () => {
      asked.push(name)
      return undefined
    }
    const engine = authorizing({
      '*': note('*'),
      '*:create': note('*:create'),
      threads: note('threads'),
      'threads:create': note('threads:create'),
    })
    await engine.authorize(alice, 'threads', 'create', {})
    await engine.authorize(alice, 'threads', 'read', {})
    await engine.authorize(alice, 'assistants', 'create', {})
    await engine.authorize(alice, 'assistants', 'read', {})
    expect(asked).toEqual(['threads:create', 'threads', '*:create', '*'])
  })

  test('tells the handler who does what, and lets it write metadata', async () => {
    const auth = new Auth()
      .authenticate(() => 'alice')
      .on('threads:create_run', ({ value, user, permissions, event }) => {
        value.metadata ??= {}
        value.metadata['owner'] = user.identity
        value.metadata['asked'] = `${event} ${permissions.join()}`
        return { owner: user.identity }
      })
    const value: { metadata?: Record<string, unknown> } = {}
    const filter = await createAuthEngine(handlersOf(auth)).authorize(alice, 'threads', 'create_run', value)
    expect(filter).toEqual({ owner: 'alice' })
    expect(value.metadata).toEqual({ owner: 'alice', asked: 'threads:create_run threads:read' })
  })

  test.each([[undefined], [null], [true], [{}]])('a handler that returns %j restricts nothing', async (verdict) => {
    const engine = authorizing({ '*': () => verdict })
    expect(await engine.authorize(alice, 'threads', 'read', {})).toBeUndefined()
  })

  test('a handler that returns false forbids', async () => {
    const error = await refusal(authorizing({ '*': () => false }).authorize(alice, 'threads', 'read', {}))
    expect(error.kind).toBe('forbidden')
  })

  test.each([
    ['text', 'returned a string; expected a filter object, true, false or nothing'],
    [7, 'returned a number'],
    [['owner'], 'returned an array'],
    [{ owner: { $like: 'a%' } }, 'the key "owner" uses $like; $eq and $contains are known'],
    [{ owner: undefined }, 'the key "owner" has no value'],
  ])('a handler that returns %j is told what was expected, and nothing is allowed', async (verdict, words) => {
    const handler = (): never => verdict as never
    const error = await refusal(authorizing({ threads: handler }).authorize(alice, 'threads', 'read', {}))
    expect(error.kind).toBe('forbidden')
    expect(error.message).toContain('authorization handler for threads:read')
    expect(error.message).toContain(words)
  })

  test('relays a thrown HTTP error and hides any other', async () => {
    const http = authorizing({
      '*': () => {
        throw new HTTPException(402, { message: 'pay first' })
      },
    })
    expect(await refusal(http.authorize(alice, 'threads', 'read', {}))).toMatchObject({
      message: 'pay first',
      details: { status: 402 },
    })
    const other = authorizing({ '*': () => Promise.reject(new Error('secret')) })
    const error = await refusal(other.authorize(alice, 'threads', 'read', {}))
    expect(error.kind).toBe('forbidden')
    expect(error.message).not.toContain('secret')
  })

  test('asks the handlers for users of the visual development UI too', async () => {
    const auth = new Auth()
      .authenticate(() => 'alice')
      .on('*', ({ user }) => (isStudioUser(user) ? {} : { owner: user.identity }))
    const engine = createAuthEngine(handlersOf(auth))
    const studio = await engine.authenticate(request({ 'x-auth-scheme': 'langsmith' }))
    expect(await engine.authorize(studio, 'threads', 'read', {})).toBeUndefined()
    expect(await engine.authorize(alice, 'threads', 'read', {})).toEqual({ owner: 'alice' })
  })
})

describe('matches', () => {
  test.each([
    [{}, {}, true],
    [{ owner: 'a' }, { owner: 'a', more: 1 }, true],
    [{ owner: 'a' }, { owner: 'b' }, false],
    [{ owner: 'a' }, {}, false],
    [{ owner: null }, {}, false],
    [{ owner: { $eq: 'a' } }, { owner: 'a' }, true],
    [{ count: { $eq: 0 } }, { count: 0 }, true],
    [{ count: { $eq: 0 } }, { count: 1 }, false],
    [{ on: false }, { on: false }, true],
    [{ tags: { $contains: 'a' } }, { tags: ['a', 'b'] }, true],
    [{ tags: { $contains: 'c' } }, { tags: ['a', 'b'] }, false],
    [{ tags: { $contains: ['b', 'a'] } }, { tags: ['a', 'b', 'c'] }, true],
    [{ tags: { $contains: ['a', 'z'] } }, { tags: ['a', 'b'] }, false],
    [{ tags: { $contains: 'a' } }, { tags: 'abc' }, false],
    [{ tags: { $contains: 'a' } }, {}, false],
    [{ a: 1, b: 2 }, { a: 1, b: 2 }, true],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
    [{ org: { id: 1, tags: ['x'] } }, { org: { tags: ['x'], id: 1 } }, true],
    [{ org: { id: 1 } }, { org: { id: 1, more: 2 } }, false],
    [{ list: [1, 2] }, { list: [1, 2] }, true],
    [{ list: [1, 2] }, { list: { 0: 1, 1: 2 } }, false],
    [{ constructor: 'a' }, {}, false],
  ])('%j on %j is %j', (filter, metadata, expected) => {
    expect(matches(filter, metadata)).toBe(expected)
  })
})
