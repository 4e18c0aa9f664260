import type {} from 'vitest'
import type { Journal } from '../control/journal/journal.ts'
import type { ExpectedCall, VerifyOptions } from '../control/verify/expected-call.ts'
import { VerificationError } from '../control/verify/verify.ts'
import { createMockServer, type MockServer } from '../index.ts'
import type { MockServerOptions } from '../options.ts'
import { listen } from './node.ts'

/** The fixtures of a test. */
export interface MockFixtures {
  /**
   * Options of the mock. `test.override` changes them for the tests of a file or a `describe`.
   *
   * @default {}
   */
  mockOptions: MockServerOptions
  /** A new mock for this test, closed after it. */
  mock: MockServer
  /** The URL of that mock, which listens on a port only in tests that use this fixture. */
  mockUrl: string
}

/** Passes a value to the test and resolves when the test has ended. */
type Use<T> = (value: T) => Promise<void>

/**
 * Fixtures for `test.extend` of Vitest: a new mock for every test that uses one.
 *
 * @example const test = base.extend<MockFixtures>(mockFixtures)
 */
export const mockFixtures: {
  mockOptions: MockServerOptions
  mock: (fixtures: Pick<MockFixtures, 'mockOptions'>, use: Use<MockServer>) => Promise<void>
  mockUrl: (fixtures: Pick<MockFixtures, 'mock'>, use: Use<string>) => Promise<void>
} = {
  mockOptions: {},
  mock: async ({ mockOptions }, use) => {
    const mock = createMockServer(mockOptions)
    await use(mock)
    await mock.close()
  },
  mockUrl: async ({ mock }, use) => {
    const server = await listen(mock, { port: 0 })
    await use(server.url)
    await server.close()
  },
}

declare module 'vitest' {
  // No type parameters: their number differs between versions of Vitest.
  interface Matchers {
    /**
     * Checks the requests of clients in a journal so far, as `journal.verify` does. Requires `expect.extend(journalMatchers)`.
     *
     * @example expect(mock.journal).toHaveReceived({ route: 'POST /threads', times: 2 })
     */
    toHaveReceived(calls: ExpectedCall | readonly ExpectedCall[], options?: VerifyOptions): void
  }
}

/**
 * Matchers for `expect.extend` of Vitest: `toHaveReceived` for the journal of a mock.
 *
 * @example expect.extend(journalMatchers)
 */
export const journalMatchers: {
  toHaveReceived(
    journal: Journal,
    calls: ExpectedCall | readonly ExpectedCall[],
    options?: VerifyOptions,
  ): { readonly pass: boolean; readonly message: () => string }
} = {
  toHaveReceived: (journal, calls, options) => {
    try {
      journal.verify(calls, options)
      return { pass: true, message: () => `Expected other requests than ${JSON.stringify(calls)}, received them` }
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error
      return { pass: false, message: () => error.message }
    }
  },
}
