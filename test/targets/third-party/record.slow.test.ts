import { afterEach, expect, test } from 'vitest'
import { startProxy } from '../../../cli/record/proxy.ts'
import { createRecorder } from '../../../cli/record/recorder.ts'
import { sessionOf } from '../../../mock-server/control/journal/scenario.ts'
import { whyNotInstalled } from '../../../targets/third-party/install.ts'
import { type RunningServer, serve } from '../../../targets/third-party/serve.ts'
import { langgraphJs } from '../../../targets/third-party/servers.ts'
import { expectSameOutcome, recordedCalls } from '../../fixtures/replayed-call.ts'
import { type SdkSession, sdkSession, withoutIds } from '../../fixtures/sdk-session.ts'
import { startMockServer } from '../../fixtures/start-mock-server.ts'
import { clean } from './clean.ts'

const missing = await whyNotInstalled(langgraphJs)
const running: RunningServer[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

test.skipIf(missing && process.env['CI'] !== 'true')(
  `a session with ${langgraphJs.package} is replayed without it${missing ? ` (${missing})` : ''}`,
  async () => {
    const server = await serve(langgraphJs, 'langgraph.json')
    running.push(server)
    const recorder = createRecorder()
    const onFailure = (reason: string): never => expect.fail(reason)
    const proxy = await startProxy({ target: new URL(server.url), port: 0, recorder, onFailure })
    const recorded = await sdkSession(proxy.url)
    await proxy.close()
    await running.pop()?.close()

    const { recording, omitted } = sessionOf(recorder, server.url)
    expect(omitted).toEqual([])
    for (const speed of [0, 1]) {
      const replayed = await sdkSession(await startMockServer({ scenario: { recording }, replay: { speed } }))
      expect(withoutIds(replayed.results)).toEqual(withoutIds(recorded.results))
      expect(withoutIds(streamsOf(replayed))).toEqual(withoutIds(streamsOf(recorded)))
      expect(streamsOf(replayed).map((text) => Buffer.byteLength(text))).toEqual(
        streamsOf(recorded).map((text) => Buffer.byteLength(text)),
      )
      // Never compared with a limit: how long a response takes depends on the machine.
      process.stdout.write(`speed ${speed}: ${timesOf(recorded, replayed)}\n`)
    }
  },
)

test.skipIf(missing && process.env['CI'] !== 'true')(
  `every call of the SDK to ${langgraphJs.package} is replayed without it${missing ? ` (${missing})` : ''}`,
  async () => {
    const server = await serve(langgraphJs, 'langgraph.json')
    running.push(server)
    for (const call of recordedCalls) {
      await expectSameOutcome(call, server.url)
      await clean(server.url)
    }
  },
)

function streamsOf({ responses }: SdkSession): string[] {
  return responses.filter(({ isStream }) => isStream).map(({ text }) => text)
}

/** The duration of each stream, and of the session, when it was recorded and when it was replayed. */
function timesOf(recorded: SdkSession, replayed: SdkSession): string {
  const durations = ({ responses }: SdkSession): number[] => {
    const streams = responses.filter(({ isStream }) => isStream).map(({ tookMs }) => tookMs)
    return [...streams, responses.reduce((sum, { tookMs }) => sum + tookMs, 0)]
  }
  const [before, after] = [durations(recorded), durations(replayed)]
  return before.map((ms, index) => `${Math.round(ms)} ms → ${Math.round(after[index] ?? 0)} ms`).join(', ')
}
