import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { uuid } from '../../http/fields.ts'
import { thread, threadPart, threadState } from '../schemas/answers.ts'
import { threadCreate, threadList } from '../schemas/requests.ts'
import { threadStream } from '../schemas/run-requests.ts'
import {
  historyList,
  historySearch,
  stateAt,
  stateUpdate,
  threadCount,
  threadPatch,
  threadPrune,
  threadSearch,
} from '../schemas/thread-requests.ts'
import { type Describe, events, json, nothing } from './describe.ts'

/** The endpoints of threads and of their state. */
export function threadPaths(describe: Describe): ZodOpenApiPathsObject {
  const path = z.object({ thread_id: uuid })
  const unknown = { path, refusals: ['thread-not-found'] } as const
  const state = { '200': json('The state', threadState) }
  const states = { '200': json('States, newest first', z.array(threadState)) }
  const written = z.looseObject({ checkpoint: z.looseObject({ thread_id: uuid, checkpoint_id: z.string() }) })
  return {
    '/threads': {
      post: describe({
        summary: 'Create a thread',
        answers: { '200': json('The thread', thread) },
        body: threadCreate,
        refusals: ['already-exists'],
      }),
      get: describe({
        summary: 'List threads',
        answers: { '200': json('Threads, newest first', z.array(thread)) },
        query: threadList,
      }),
    },
    '/threads/search': {
      post: describe({
        summary: 'Search threads',
        answers: { '200': json('Threads, with the fields that were selected', z.array(threadPart)) },
        body: threadSearch,
      }),
    },
    '/threads/count': {
      post: describe({
        summary: 'Count threads',
        answers: { '200': json('How many there are', z.int()) },
        body: threadCount,
      }),
    },
    '/threads/prune': {
      post: describe({
        summary: 'Delete threads, or their older states',
        answers: { '200': json('How many were pruned', z.object({ pruned_count: z.int() })) },
        body: threadPrune,
        refusals: ['thread-busy'],
      }),
    },
    '/threads/{thread_id}': {
      get: describe({ summary: 'Read a thread', answers: { '200': json('The thread', thread) }, ...unknown }),
      patch: describe({
        summary: 'Add to the metadata of a thread',
        answers: { '200': json('The thread', thread), '204': nothing('With `Prefer: return=minimal`') },
        body: threadPatch,
        ...unknown,
      }),
      delete: describe({ summary: 'Delete a thread', answers: { '204': nothing('It is gone') }, ...unknown }),
    },
    '/threads/{thread_id}/copy': {
      post: describe({ summary: 'Copy a thread', answers: { '200': json('The copy', thread) }, ...unknown }),
    },
    '/threads/{thread_id}/state': {
      get: describe({ summary: 'Read the state of a thread', answers: state, ...unknown }),
      post: describe({
        summary: 'Write into the state of a thread',
        answers: { '200': json('The checkpoint that was written', written) },
        path,
        body: stateUpdate,
        refusals: ['thread-not-found', 'checkpoint-not-found', 'thread-busy'],
      }),
    },
    '/threads/{thread_id}/state/checkpoint': {
      post: describe({
        summary: 'Read the state of a thread at a checkpoint',
        answers: state,
        path,
        body: stateAt,
        refusals: ['thread-not-found', 'checkpoint-not-found'],
      }),
    },
    '/threads/{thread_id}/state/{checkpoint_id}': {
      get: describe({
        summary: 'Read the state of a thread at a checkpoint',
        answers: state,
        path: path.extend({ checkpoint_id: z.string() }),
        refusals: ['thread-not-found', 'checkpoint-not-found'],
      }),
    },
    '/threads/{thread_id}/history': {
      get: describe({
        summary: 'Read the earlier states of a thread',
        answers: states,
        query: historyList,
        ...unknown,
      }),
      post: describe({ summary: 'Search the states of a thread', answers: states, body: historySearch, ...unknown }),
    },
    '/threads/{thread_id}/stream': {
      get: describe({
        summary: 'Follow the runs of a thread',
        answers: { '200': events },
        query: threadStream,
        header: z.object({ 'Last-Event-ID': z.string().optional() }),
        ...unknown,
      }),
    },
  }
}
