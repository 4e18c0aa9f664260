import { listen } from '../../../mock-server/adapters/node.ts'
import type { Fetch } from '../../../targets/wrappers/fetch.ts'
import { sdkClients } from '../../fixtures/sdk-clients.ts'
import { openContext } from '../../mock-server/sdk/context.ts'
import { remoteGraphCalls, tryRemoteGraph } from '../../mock-server/sdk/remote-graph.ts'
import { callsOf, nameOf } from '../../mock-server/sdk/table.ts'

/** A call of a JavaScript client that is made to public servers and to the mock server. */
export interface ComparedCall {
  readonly name: string
  /** Makes the call with a function that sends requests. */
  readonly try: (send: Fetch) => Promise<void>
}

export const comparedVersion = '1.15.0'
const [version, client] = Object.entries(sdkClients).find(([version]) => version === comparedVersion) ?? []
if (version === undefined || client === undefined) throw new Error(`expected the SDK ${comparedVersion}`)

export const comparedClient = client

export const comparedSdkCalls: readonly ComparedCall[] = callsOf(version, client).map((call) => ({
  name: nameOf(call),
  try: (send) => call.try(openContext(client, send)),
}))

export const comparedRemoteGraphCalls: readonly ComparedCall[] = remoteGraphCalls
  .filter(({ refused }) => refused === undefined)
  .map((call) => ({
    name: `RemoteGraph.${nameOf(call)}`,
    // Not all methods use the `fetch` of the client.
    try: async (send) => {
      const server = await listen({ handle: send }, { port: 0 })
      await tryRemoteGraph(call, server.url).finally(server.close)
    },
  }))
