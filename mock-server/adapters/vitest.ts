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
