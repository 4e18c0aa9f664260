import { createMockServer } from '../../mock-server/index.ts'
import type { Measure } from '../measure.ts'

/** The cost of a mock server that a test creates for itself. */
export const mocks: Measure = {
  name: 'mocks',
  explanation: 'Wall time and CPU time to create a mock server in a warm process, create a thread on it and close it.',
  run: async ({ quick }) => {
    const count = quick ? 50 : 1000
    await createAndClose(count)
    const rounds: { milliseconds: number; cpuMilliseconds: number }[] = []
    for (let round = 0; round < (quick ? 3 : 7); round++) {
      const [started, cpu] = [performance.now(), process.cpuUsage()]
      await createAndClose(count)
      const { user, system } = process.cpuUsage(cpu)
      rounds.push({
        milliseconds: (performance.now() - started) / count,
        cpuMilliseconds: (user + system) / 1000 / count,
      })
    }
    return [
      {
        name: 'mocks.wall',
        unit: 'ms',
        values: rounds.map(({ milliseconds }) => milliseconds),
        goal: { of: 'value', is: '<=', bound: 1 },
      },
      { name: 'mocks.cpu', unit: 'ms CPU', values: rounds.map(({ cpuMilliseconds }) => cpuMilliseconds) },
    ]
  },
}

async function createAndClose(count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    const mock = createMockServer()
    const headers = { 'content-type': 'application/json' }
    const response = await mock.fetch(new Request('http://agent.test/threads', { method: 'POST', headers, body: '{}' }))
    if (response.status !== 200)
      throw new Error(`expected status 200, received ${response.status}: ${await response.text()}`)
    await response.json()
    await mock.close()
  }
}
