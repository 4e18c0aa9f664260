import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import type { RequirementId } from '../../suites/catalog/generated/ids.ts'
import type { Peer } from './peer.ts'

/** A dialect of the mock server and the public server that it stands for. */
export interface Likeness {
  readonly dialect: DialectName
  readonly peer: Peer['name']
  /** Open points on which the dialect does something else on purpose, each with the reason. */
  readonly differences: Readonly<Partial<Record<RequirementId, string>>>
}

const ofBoth = {
  'thread.list.shape': 'the document has this endpoint; the public server does not',
  'thread.list.filters': 'the document has this endpoint; the public server does not',
  'auth.user.run-record': "the user stands under the document's key as well as under the public one",
  'stream.mode.events': 'the mode brings internals of the framework that graphs are written in; the mock has none',
} as const

/** Which dialect stands for which server. */
export const likenesses: readonly Likeness[] = [
  {
    dialect: 'agent-server',
    peer: 'langgraph-py',
    differences: {
      ...ofBoth,
      'multitask.default.on-busy-thread':
        'by the document the default is `reject`; on the public server it is `enqueue`',
      'auth.studio.user': 'the public server tells the kind by a class of its own, which a JSON object cannot show',
      'errors.malformed-id.thread.run-stream':
        'of all endpoints this one alone has another status; nothing is gained by it',
    },
  },
  {
    dialect: 'js-dev',
    peer: 'langgraph-js',
    differences: {
      ...ofBoth,
      'state.metadata.user_id.value':
        'the document shows this key; the public server leaves it out without custom authentication',
      'stream.join.running':
        'which of two readers gets an event is a matter of chance; in the mock each has all of them',
    },
  },
]
