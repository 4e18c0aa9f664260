import { createMockServer } from '../../mock-server/index.ts'
import type { Measure } from '../measure.ts'

/** What a mock costs a test that makes one for itself. */
export const mocks: Measure = {
  name: 'mocks',
  explanation:
    'From the creation of a mock in a process that has made some before, to its first answer (a thread is created) and its end; by the clock, and in CPU time.',
  run: async ({ quick }) => {
    const count = quick ? 50 : 1000
    await liveOften(count)
    const rounds: { milliseconds: number; cpuMilliseconds: number }[] = []
    for (let round = 0; round < (quick ? 3 : 7); round++) {
      const [started, cpu] = [performance.now(), process.cpuUsage()]
      await liveOften(count)
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

async function liveOften(count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    const mock = createMockServer()
    const headers = { 'content-type': 'application/json' }
    const answer = await mock.fetch(new Request('http://agent.test/threads', { method: 'POST', headers, body: '{}' }))
    if (answer.status !== 200) throw new Error(`a mock answered ${answer.status}: ${await answer.text()}`)
    await answer.json()
    await mock.close()
  }
}
