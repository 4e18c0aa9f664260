import { uniqueConfig } from '../../harness/deployment.ts'
import { streamedRunId } from '../../harness/event-stream.ts'
import { textAt } from '../../values/json.ts'
import { rareValues, unusualValues } from '../../values/unusual-values.ts'
import { type Scenario, scenario } from '../scenario.ts'

const path = '/assistants'

/** Settings that a server may lose or change if it stores them in another form than JSON. */
const unusualSettings = {
  touchstone_number: 2 ** 40,
  touchstone_fraction: 1.1,
  touchstone_list: ['two', 'one', 10, 9, null],
  touchstone_zero: 0,
  touchstone_no: false,
  touchstone_empty: '',
  touchstone_text: ` $HOME {name} 'é 日本 🙂'\n${'long '.repeat(80)}`,
  touchstone_values: unusualValues,
}

const rareSettings = { ...unusualSettings, touchstone_values: rareValues }

export const assistantCreateScenarios: readonly Scenario[] = [
  scenario(
    [
      'assistant.create.answers-assistant',
      'assistant.create.config-optional',
      'assistant.create.config-accepted',
      'assistant.create.graph_id-kept',
      'assistant.create.config-kept',
      'assistant.create.fresh-id',
      'assistant.config.configurable-type',
      'assistant.updated-not-before-created',
    ],
    'creates assistants with and without config',
    async ({ deployment, session }) => {
      const graph_id = session.graph('any')
      const nested = { configurable: { ...uniqueConfig().configurable, ...rareSettings } }
      const configs = [undefined, nested, uniqueConfig(), uniqueConfig(), uniqueConfig()]
      const create = (config: unknown) => deployment.http.send({ method: 'POST', path, body: { graph_id, config } })
      await Promise.all(configs.map(create))
    },
  ),

  scenario(
    [
      'assistant.create.config-kept',
      'assistant.create.fresh-id',
      'assistant.get.answers-assistant',
      'assistant.get.as-created',
    ],
    'creates assistants with equal and with similar configs',
    async ({ deployment, session }) => {
      const { configurable } = uniqueConfig()
      const config = (deep: boolean, list: readonly number[]) => ({
        configurable: { ...configurable, deep: { deep, list } },
      })
      const configs = [config(true, [1, 2]), config(true, [1, 2]), config(false, [1, 2]), config(true, [2, 1])]
      const requests = configs.map((each) => ({ graph_id: session.graph('any'), config: each }))
      const create = async (body: unknown) => (await deployment.http.send({ method: 'POST', path, body })).json
      const created: unknown[] = []
      for (const request of requests) created.push(await create(request))
      const read = async (assistants: readonly unknown[]) => {
        for (const assistant of assistants) {
          const id = textAt(assistant, 'assistant_id')
          // The server may refuse to create an assistant that equals another one.
          if (id !== undefined) await deployment.http.send({ method: 'GET', path: `${path}/${id}` })
        }
      }
      await read(created)
      await read([await create({ graph_id: session.graph('chat'), config: config(true, [1, 2]) })])
    },
  ),

  scenario(['assistant.create.graph_id-required'], 'creates an assistant without graph_id', async (context) => {
    const config = uniqueConfig()
    const control = { method: 'POST', path, body: { graph_id: context.session.graph('any'), config } } as const
    await context.negative(control, { body: { config } })
  }),

  scenario(
    ['assistant.config.reaches-graph', 'assistant.config.own'],
    'runs assistants with their own settings',
    async ({ deployment, session }) => {
      const run = async (settings: object = unusualSettings) => {
        // No other assistant has a setting with this name: it shows settings that reach the runs of another one.
        const ownName = `touchstone_own_${crypto.randomUUID().slice(0, 8)}`
        const configurable = { ...uniqueConfig().configurable, ...settings, [ownName]: true }
        const assistantId = await deployment.assistant('whoami', { configurable })
        return { assistantId, text: `who is ${crypto.randomUUID()}` }
      }
      const requests = await Promise.all([run(rareSettings), run(), run()])
      const ended = await Promise.all(requests.map((request) => deployment.runToEnd(request)))
      for (const { threadId } of ended) await deployment.state(threadId)
      const ofDefault = await deployment.runToEnd({ graph: 'whoami', text: `who is ${crypto.randomUUID()}` })
      await deployment.state(ofDefault.threadId)
      // The server may refuse an assistant that equals one of an earlier test run.
      const body = { graph_id: session.graph('whoami') }
      const plainId = textAt((await deployment.http.send({ method: 'POST', path, body })).json, 'assistant_id')
      if (plainId !== undefined) {
        const plain = { assistantId: plainId, text: `who is ${crypto.randomUUID()}` }
        await deployment.state((await deployment.runToEnd(plain)).threadId)
      }
      // They wait for a run of an assistant with other settings.
      const queued = await deployment.thread()
      const runs: string[] = []
      const slow = { assistantId: await deployment.slowAssistant(), text: `slow ${crypto.randomUUID()}` }
      for (const request of [slow, await run(), await run(), await run()])
        runs.push(await deployment.startRun(queued, { ...request, strategy: 'enqueue' }))
      for (const id of runs) await deployment.waitForEnd(queued, id)
      await deployment.state(queued)
      const streamed = await deployment.thread()
      for (const request of [await run(), await run()]) {
        const stream = await deployment.streamToEnd(streamed, { ...request, streamMode: ['updates'] })
        await deployment.waitForEnd(streamed, streamedRunId(stream))
        await deployment.state(streamed)
      }
      await deployment.state((await deployment.runToEnd({ ...(await run()), strategy: 'reject' })).threadId)
      const interrupted = await deployment.thread()
      await deployment.startRun(interrupted, { ...slow, text: `slow ${crypto.randomUUID()}`, strategy: 'enqueue' })
      const newer = await deployment.startRun(interrupted, { ...(await run()), strategy: 'interrupt' })
      await deployment.waitForEnd(interrupted, newer)
      await deployment.state(interrupted)
    },
  ),
]
