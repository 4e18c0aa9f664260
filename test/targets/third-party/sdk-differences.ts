import type { ThirdPartyServer } from '../../../targets/third-party/servers.ts'
import { countPythonCalls } from '../../fixtures/python-clients.ts'
import { comparedRemoteGraphCalls, comparedSdkCalls, comparedVersion } from './sdk-calls.ts'

/** A difference between public servers and the dialects that imitate them, in the responses to calls of the SDK. */
interface SdkDifference {
  readonly servers: readonly ThirdPartyServer['name'][]
  /**
   * Calls that end early on the server, responses, or fields: the end of a path, or its start before a final `*`. Those of
   * one call start with its name and a colon.
   */
  readonly at: readonly string[]
  readonly reason: string
  /** Whether it depends on timing. */
  readonly isIntermittent?: true
}

export const dialectOf = {
  'langgraph-js': 'js-dev',
  'langgraph-js-2': 'js-dev',
  'langgraph-py': 'agent-server',
} as const

const js: SdkDifference['servers'] = ['langgraph-js', 'langgraph-js-2']
const js2: SdkDifference['servers'] = ['langgraph-js-2']
const py: SdkDifference['servers'] = ['langgraph-py']
const all: SdkDifference['servers'] = [...js, ...py]

/** The first entry that explains a point counts. */
const sdkDifferences: readonly SdkDifference[] = [
  // Fields of the specification.
  { servers: all, at: ['messages[].example'], reason: 'the specification shows this field' },
  { servers: js, at: ['messages[].name', 'messages[].usage_metadata'], reason: 'the specification shows null' },
  { servers: all, at: ['metadata.writes'], reason: 'the specification shows this field' },
  {
    servers: js,
    at: [
      'metadata.user_id',
      'body.checkpoint_id',
      'body[].checkpoint_id',
      'parent_checkpoint_id',
      'configurable.user_id',
    ],
    reason: 'the specification shows these fields of a state and of a run',
  },
  {
    servers: js,
    at: [
      'body.values',
      'body[].values',
      'kwargs.webhook',
      'kwargs.feedback_keys',
      'kwargs.interrupt_before',
      'kwargs.interrupt_after',
    ],
    reason: 'the specification shows null before the first run, or without a value',
  },
  { servers: all, at: ['configurable.checkpoint_id'], reason: 'the specification shows null without a checkpoint' },
  // Calls that end early.
  { servers: all, at: ['threads.patchState'], reason: 'both refuse it, with different messages' },
  {
    servers: js,
    at: ['threads.prune', 'runs.cancelMany', 'threads.joinStream'],
    reason: 'the server does not have the endpoint',
  },
  {
    servers: js,
    at: ['crons.createForThread', 'crons.create', 'crons.update', 'crons.delete', 'crons.search', 'crons.count'],
    reason: 'the server has no crons',
  },
  {
    servers: js2,
    at: ['runs.joinStream, stateless', 'GET /runs/{run_id}/stream 200 events'],
    reason: 'the server ends the stream of a cancelled run with an error',
  },
  {
    servers: py,
    at: ['RemoteGraph.invoke, with inputs of nodes'],
    reason: 'the server refuses a `Send` in the form that this client sends',
  },
  {
    servers: js,
    at: [
      'RemoteGraph.invoke, with inputs of nodes',
      'RemoteGraph.invoke, with inputs of nodes: POST /threads/{thread_id}/runs/stream 200 events',
    ],
    reason: 'the server ignores a `Send` in the form that this client sends',
  },
  {
    servers: all,
    at: [
      'python RemoteGraph.invoke, gives nodes inputs',
      'python RemoteGraph.invoke, gives nodes inputs: POST /threads/{thread_id}/runs/stream 200 events',
    ],
    reason: 'the server gives a node the input of a `Send` without the classes of messages, and the node fails',
  },
  {
    servers: js2,
    at: ['threads.stream', 'RemoteGraph.streamEvents'],
    reason: 'the server does not have the second stream protocol',
  },
  {
    servers: js2,
    at: ['store.searchItems', 'store.deleteItem'],
    reason: 'the server requires a namespace in searches',
  },
  {
    servers: js,
    at: [
      'assistants.search',
      'runs.list',
      'threads.search, with values of the state',
      'python threads.search',
      'body[].extracted',
      'threads.update, without a result',
      'python threads.update',
    ],
    reason: 'the server ignores `select`, `extract` and `Prefer: return=minimal`',
  },
  {
    servers: js,
    at: ['assistants.getSchemas'],
    reason: 'the server cannot read the types of graphs in plain JavaScript',
  },
  {
    servers: js,
    at: ['threads.getState, of a checkpoint id'],
    reason: 'the server returns an empty state for an unknown checkpoint',
  },
  {
    servers: js,
    at: [
      'python threads.getState',
      'python RemoteGraph.getState',
      'python RemoteGraph.copy',
      'python RemoteGraph.withConfig',
      'python RemoteGraph.updateState',
    ],
    reason: 'the server refuses `subgraphs` as a boolean, which this client sends with a checkpoint',
  },
  { servers: js, at: ['threads.updateState'], reason: 'the server does not update the status of the thread' },
  { servers: js, at: ['threads.getHistory'], reason: 'the server refuses `before` in the form of the SDK' },
  {
    servers: js,
    at: ['runs.createBatch'],
    reason: 'the server creates runs of a batch although it refuses another one; their threads exist until they end',
    isIntermittent: true,
  },
  { servers: js, at: ['runs.cancel'], reason: 'the server cancels a run that has ended' },
  {
    servers: js,
    at: ['runs.joinStream', 'GET /threads/{thread_id}/runs/{run_id}/stream 200 events'],
    reason: 'whether the server sends earlier events of a run that has ended depends on timing',
    isIntermittent: true,
  },
  { servers: py, at: ['threads.prune'], reason: 'the server cannot keep the latest state in memory' },
  { servers: py, at: ['threads.search'], reason: 'the server ignores `sort_order` without `sort_by`' },
  {
    servers: py,
    at: ['threads.getState, of a checkpoint id', 'python threads.getState'],
    reason: 'the server leaves `checkpoint_ns` out of the state of a checkpoint id',
  },
  { servers: py, at: ['python threads.getHistory'], reason: 'the server fails if `before` is a checkpoint' },
  { servers: py, at: ['threads.joinStream'], reason: 'the server requires ids of its database in `Last-Event-ID`' },
  { servers: py, at: ['runs.createBatch'], reason: 'the message for an unknown assistant differs' },
  { servers: py, at: ['runs.cancel'], reason: 'the server still returns a run that was cancelled with `rollback`' },
  { servers: py, at: ['runs.joinStream, stateless'], reason: 'the server does not have the endpoint' },
  { servers: py, at: ['crons.search'], reason: 'the server refuses the name of a graph in a search' },
  { servers: py, at: ['store.getItem'], reason: 'the server sets both times of a new item one after the other' },
  // Other responses.
  {
    servers: all,
    at: ['body.config.configurable', 'body[].config.configurable'],
    reason: 'the server copies the configuration of a run to its thread',
  },
  {
    servers: js,
    at: ['tasks[].result', 'tasks[].result.messages[].*'],
    reason: 'the server shows the input of a run as it was sent, and no results of states that a caller wrote',
  },
  {
    servers: py,
    at: ['tasks[].result.messages[].*'],
    reason: 'the server shows the input of a run as it was sent',
  },
  {
    servers: js,
    at: ['configurable.checkpoint_map'],
    reason: 'the server copies all fields of the checkpoint of a request',
  },
  {
    servers: all,
    at: ['configurable.checkpoint_ns', 'checkpoint.checkpoint_map'],
    reason: 'the server copies all fields of the checkpoint of a request',
  },
  {
    servers: all,
    at: ['state 200 body.metadata.graph_id'],
    reason: 'the metadata of a state that a caller wrote has other fields',
  },
  {
    servers: py,
    at: ['metadata.checkpoint_id', 'metadata.user_id'],
    reason: 'the metadata of a state that a caller wrote has other fields',
  },
  {
    servers: js,
    at: ['state 200 body.metadata.user-agent'],
    reason: 'the server copies this header with a thread, but not for a run of the second stream protocol',
  },
  {
    servers: js,
    at: [
      'join 200 body.__interrupt__',
      'RemoteGraph.invoke, to resume a run: GET /threads/{thread_id}/runs/{run_id}/join 200 body.messages',
    ],
    reason: 'the server returns the values of the thread if an interrupted run has ended before a client joins it',
    isIntermittent: true,
  },
  {
    servers: py,
    at: ['state 200 body.metadata.langgraph_*'],
    reason: 'the server copies these fields to the states of a copied thread',
  },
  { servers: js2, at: ['metadata.ls_integration'], reason: 'only newer versions of LangGraph write it' },
  {
    servers: js,
    at: ['body.interrupts.{id}', 'copy 200 body.metadata.thread_id'],
    reason: 'the server shows the state of a thread that a caller copied or wrote only after the next run',
  },
  {
    servers: all,
    at: ['body.interrupts'],
    reason: 'the server shows the state of a thread that a caller copied or wrote only after the next run',
  },
  {
    servers: py,
    at: ['body.values', 'body.error'],
    reason: 'the server shows the state of a thread that a caller copied or wrote only after the next run',
  },
  { servers: all, at: ['versions 200 body[].updated_at'], reason: 'the mock server shows a version like an assistant' },
  {
    servers: all,
    at: ['join 200 body.messages'],
    reason: 'whether a run that is stopped at once has values depends on timing',
    isIntermittent: true,
  },
  {
    servers: py,
    at: ['body[].interrupts'],
    reason: 'when the server shows at the thread that a run was cancelled depends on timing',
    isIntermittent: true,
  },
  {
    servers: all,
    at: ['join 200 body.__error__'],
    reason: 'the mock server returns the values of a run whose thread is deleted while a client joins it',
  },
  { servers: js, at: ['type'], reason: 'the server declares JSON of `/runs/wait`, or an empty response, as text' },
  { servers: js, at: ['kwargs.input'], reason: 'the server shows an input that is null if the request has it' },
  { servers: js, at: ['state 200 body.configurable'], reason: 'the SDK documents this field' },
  {
    servers: js,
    at: ['nodes[].data.id', 'nodes[].data.$schema', 'edges[].conditional'],
    reason: 'the server describes nodes by classes and schemas of LangChain',
  },
  {
    servers: js,
    at: ['DELETE /assistants/{assistant_id} 200', 'DELETE /assistants/{assistant_id} 204'],
    reason: 'the server responds with 200 to this request only',
  },
  {
    servers: ['langgraph-js'],
    at: ['cancel 202', 'cancel 204'],
    reason: 'the server waits although the request says `wait=0`',
  },
  {
    servers: ['langgraph-js'],
    at: ['events.values.params.data.messages[].id', 'body.values.messages[].id'],
    reason: 'the server gives messages of models ids that start with `run-`',
  },
  {
    servers: py,
    at: ['configurable.__*', 'kwargs.config.metadata.langgraph_*', 'kwargs.config.metadata.run_attempt'],
    reason: 'the server adds internal fields, some of them when the run executes',
  },
  {
    servers: py,
    at: ['GET /assistants/{assistant_id}/schemas 200 body.*'],
    reason: 'the server derives schemas from the types of the graph; graphs of the mock server have none',
  },
  { servers: py, at: ['checkpoint.checkpoint_ns'], reason: 'the server leaves it out of the state of a checkpoint id' },
  {
    servers: py,
    at: ['state 200 body.checkpoint_id'],
    reason: 'the server repeats the id of a checkpoint that a caller wrote',
  },
  {
    servers: py,
    at: ['events.updates.first.messages[].id', 'events.updates.second.messages[].id'],
    reason: 'if several nodes run at once, the server may show their messages before it gives them ids',
    isIntermittent: true,
  },
  { servers: py, at: ['body.meta.thread_id'], reason: 'the protocol has this field' },
  {
    servers: all,
    at: ['metadata.thread_id'],
    reason: 'the server does not copy this field of the metadata of a configuration',
  },
]

/** The places of a server at which responses differ, in the order of the list. */
export function differencesOf(server: ThirdPartyServer['name']) {
  return sdkDifferences
    .filter(({ servers }) => servers.includes(server))
    .flatMap(({ at, reason, isIntermittent }) =>
      at.map((place) => ({ place, id: `${place}: ${reason}`, isIntermittent })),
    )
}

/** Returns the id of the difference that explains a point of a call: a text like `GET /ok 200 body.ok: boolean / string`. */
export function explanationOf(server: ThirdPartyServer['name'], call: string, point: string): string | undefined {
  const [start = ''] = point.split(': ')
  const isAt = (place: string) => {
    const end = place.endsWith('*') ? '' : '(,|$)'
    const pattern = new RegExp(`(^|[ ./])${escaped(place.replace('*', ''))}${end}`)
    return pattern.test(start) || place === `${call}: ${start}`
  }
  return differencesOf(server).find(({ place }) => isAt(place))?.id
}

function escaped(text: string): string {
  return text.replaceAll(/[.*${}[\]]/g, '\\$&')
}

/** The section of `docs/reference/sdk-calls.md`. */
export async function renderDifferences(): Promise<string> {
  const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ')
  const rows = sdkDifferences.map(({ servers, at, reason }) => `| ${code(servers)} | ${code(at)} | ${reason} |`)
  const [client, graph] = await Promise.all([countPythonCalls('test_sdk.py'), countPythonCalls('test_remote_graph.py')])
  return `## Compared with the public servers

Tests make ${comparedSdkCalls.length} calls of the JavaScript SDK ${comparedVersion}, ${client} of each client of the Python SDK, and
${comparedRemoteGraphCalls.length} and ${graph} of \`RemoteGraph\` in JavaScript and Python, one or more for each method, to
[the public servers](third-party-servers.md) and to the mock server in the dialect that imitates them. They compare every response:
status, keys and types at any depth, and the order of events. These differences were found, and no others. A call ends early where a
server does not respond as the call expects; what follows is not compared.

| server | call, response or field | reason |
| --- | --- | --- |
${rows.join('\n')}
`
}
