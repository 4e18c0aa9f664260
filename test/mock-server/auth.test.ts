import { Auth, HTTPException, isStudioUser } from '@langchain/langgraph-sdk/auth'
import { describe, expect, test } from 'vitest'
import { createAuthEngine } from '../../mock-server/deployment/auth/engine.ts'
import { matches } from '../../mock-server/deployment/auth/filter.ts'
import type { AuthHandlers, AuthUser } from '../../mock-server/deployment/auth/handlers.ts'
import { ApiError } from '../../mock-server/http/errors.ts'

const alice: AuthUser = { identity: 'alice', permissions: ['threads:read'] }

function request(headers: Record<string, string> = {}): Request {
  return new Request('http://mock.test/threads', { method: 'POST', body: '{}', headers })
}

async function apiErrorOf(promise: Promise<unknown>): Promise<ApiError> {
  return promise.then(
    () => Promise.reject(new Error('expected an ApiError, received no error')),
    (error: unknown) => {
      if (error instanceof ApiError) return error
      throw error
    },
  )
}

/** The handlers inside an `Auth` object of the public SDK. */
function handlersOf(auth: object): AuthHandlers {
  return Reflect.get(auth, '~handlerCache')
}

/** An engine with these authorization handlers. */
function engineWith(callbacks: NonNullable<AuthHandlers['callbacks']>): ReturnType<typeof createAuthEngine> {
  return createAuthEngine({ authenticate: () => 'alice', callbacks })
}

describe('without handlers', () => {
  const engine = createAuthEngine(undefined)

  test('allows every request', async () => {
    expect(engine.enabled).toBe(false)
    expect(await engine.authenticate(request())).toBeUndefined()
    expect(await engine.authorize(undefined, 'threads', 'read', {})).toBeUndefined()
  })
})

describe('authenticate', () => {
  test('returns the user of the handler with the public defaults', async () => {
    const engine = createAuthEngine({ authenticate: () => ({ identity: 'alice', org_id: 'org-1' }) })
    expect(await engine.authenticate(request())).toEqual({
      identity: 'alice',
      org_id: 'org-1',
      display_name: 'alice',
      is_authenticated: true,
      permissions: [],
    })
  })

  test('accepts a string as the identity', async () => {
    const user = await createAuthEngine({ authenticate: () => 'bob' }).authenticate(request())
    expect(user?.identity).toBe('bob')
  })

  test('passes header names in lower case to the handler', async () => {
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

  test('leaves the body unread for the endpoint', async () => {
    const engine = createAuthEngine({ authenticate: async (incoming) => `alice${await incoming.text()}` })
    const incoming = request()
    await engine.authenticate(incoming)
    expect(await incoming.text()).toBe('{}')
  })

  test('rejects with the message, status and headers of a thrown HTTPException', async () => {
    const auth = new Auth().authenticate(() => {
      throw new HTTPException(418, { message: 'no tea', headers: { 'x-why': 'because' } })
    })
    const error = await apiErrorOf(createAuthEngine(handlersOf(auth)).authenticate(request()))
    expect(error).toMatchObject({
      kind: 'unauthorized',
      message: 'no tea',
      details: { status: 418, headers: { 'x-why': 'because' } },
    })
  })

  test('rejects without details when the handler throws another error', async () => {
    const engine = createAuthEngine({
      authenticate: () => {
        throw new TypeError('the password is hunter2')
      },
    })
    const error = await apiErrorOf(engine.authenticate(request()))
    expect(error.kind).toBe('unauthorized')
    expect(error.details.status).toBeUndefined()
    expect(error.message).toBe('The authentication handler failed with an unexpected TypeError')
  })

  test.each([[undefined], [null], [{}], [{ identity: '' }], [{ identity: 7 }], [true], ['']])(
    'rejects when the handler returns no identity: %j',
    async (user) => {
      const error = await apiErrorOf(createAuthEngine({ authenticate: () => user }).authenticate(request()))
      expect(error).toMatchObject({ kind: 'unauthorized', message: 'The authentication handler returned no identity' })
    },
  )

  test('accepts users of the visual development UI without calling the handler', async () => {
    const refuse = (): never => {
      throw new HTTPException(401, { message: 'no' })
    }
    const studio = request({ 'x-auth-scheme': 'langsmith' })
    const user = await createAuthEngine({ authenticate: refuse }).authenticate(studio)
    expect(user).toMatchObject({ kind: 'StudioUser', identity: 'langgraph-studio-user' })
    const error = await apiErrorOf(
      createAuthEngine({ authenticate: refuse, disable_studio_auth: true }).authenticate(studio),
    )
    expect(error.kind).toBe('unauthorized')
  })

  test('throws at start for handlers that authorize but do not authenticate', () => {
    expect(() => createAuthEngine({ callbacks: { '*': () => true } })).toThrow('do not authenticate')
  })
})

describe('authorize', () => {
  test('calls only the most specific handler', async () => {
    const called: string[] = []
    const record = (name: string) => () => {
      called.push(name)
      return undefined
    }
    const engine = engineWith({
      '*': record('*'),
      '*:create': record('*:create'),
      threads: record('threads'),
      'threads:create': record('threads:create'),
    })
    await engine.authorize(alice, 'threads', 'create', {})
    await engine.authorize(alice, 'threads', 'read', {})
    await engine.authorize(alice, 'assistants', 'create', {})
    await engine.authorize(alice, 'assistants', 'read', {})
    expect(called).toEqual(['threads:create', 'threads', '*:create', '*'])
  })

  test('passes user, event and value to the handler, which can add metadata', async () => {
    const auth = new Auth()
      .authenticate(() => 'alice')
      .on('threads:create_run', ({ value, user, permissions, event }) => {
        value.metadata ??= {}
        value.metadata['owner'] = user.identity
        value.metadata['event'] = `${event} ${permissions.join()}`
        return { owner: user.identity }
      })
    const value: { metadata?: Record<string, unknown> } = {}
    const filter = await createAuthEngine(handlersOf(auth)).authorize(alice, 'threads', 'create_run', value)
    expect(filter).toEqual({ owner: 'alice' })
    expect(value.metadata).toEqual({ owner: 'alice', event: 'threads:create_run threads:read' })
  })

  test.each([[undefined], [null], [true], [{}]])('allows everything when the handler returns %j', async (result) => {
    const engine = engineWith({ '*': () => result })
    expect(await engine.authorize(alice, 'threads', 'read', {})).toBeUndefined()
  })

  test('rejects with forbidden when the handler returns false', async () => {
    const error = await apiErrorOf(engineWith({ '*': () => false }).authorize(alice, 'threads', 'read', {}))
    expect(error.kind).toBe('forbidden')
  })

  test.each([
    ['text', 'returned a string; expected a filter object, true, false or nothing'],
    [7, 'returned a number'],
    [['owner'], 'returned an array'],
    [{ owner: { $like: 'a%' } }, 'the key "owner" uses $like; only $eq and $contains are supported'],
    [{ owner: undefined }, 'the key "owner" has no value'],
  ])('rejects with the expected types when the handler returns %j', async (result, message) => {
    const handler = (): never => result as never
    const error = await apiErrorOf(engineWith({ threads: handler }).authorize(alice, 'threads', 'read', {}))
    expect(error.kind).toBe('forbidden')
    expect(error.message).toContain('authorization handler for threads:read')
    expect(error.message).toContain(message)
  })

  test('relays a thrown HTTPException and hides any other error', async () => {
    const http = engineWith({
      '*': () => {
        throw new HTTPException(402, { message: 'pay first' })
      },
    })
    expect(await apiErrorOf(http.authorize(alice, 'threads', 'read', {}))).toMatchObject({
      message: 'pay first',
      details: { status: 402 },
    })
    const other = engineWith({ '*': () => Promise.reject(new Error('secret')) })
    const error = await apiErrorOf(other.authorize(alice, 'threads', 'read', {}))
    expect(error.kind).toBe('forbidden')
    expect(error.message).not.toContain('secret')
  })

  test('calls the handlers for users of the visual development UI', async () => {
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
