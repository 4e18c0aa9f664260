import { createMockServer, type MockServer } from '../index.ts'
import type { MockServerOptions } from '../options.ts'
import { listen } from './node.ts'

/** What a test gets. */
export interface MockFixtures {
  /**
   * How the mock is set up; `test.override` gives other options to the tests of a file or of a `describe`.
   *
   * @default {}
   */
  mockOptions: MockServerOptions
  /** A mock of this test's own, closed after it. */
  mock: MockServer
  /** Where that mock listens; a port is taken only for tests that ask for it. */
  mockUrl: string
}

/** Hands a value to the test, and resolves once that has ended. */
type Use<T> = (value: T) => Promise<void>

/**
 * Fixtures for `test.extend` of Vitest: a fresh mock for every test that asks for one.
 *
 * Vitest is not imported here, so that they are fixtures of the Vitest that runs the tests, whatever its version.
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
