import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import type { ErrorKind } from '../../http/errors.ts'
import { uuid } from '../../http/fields.ts'
import type { Dialect } from '../dialect.ts'
import { run, runPart } from '../schemas/answers.ts'
import { cancelAction, runBatch, runCancel, runJoin, runStream, runsCancel } from '../schemas/run-requests.ts'
import { type Describe, events, json, nothing, outcome } from './describe.ts'

/** The endpoints of runs. */
export function runPaths(describe: Describe, { requests }: Dialect): ZodOpenApiPathsObject {
  const onThread = z.object({ thread_id: uuid })
  const path = onThread.extend({ run_id: uuid })
  const header = z.object({ 'Last-Event-ID': z.string().optional() })
  const alone: ErrorKind[] = ['assistant-not-found', 'invalid-assistant', 'graph-not-found']
  const created: ErrorKind[] = [...alone, 'thread-not-found', 'no-thread-to-run-on', 'thread-busy']
  const missing: ErrorKind[] = ['thread-not-found', 'run-not-found']
  const theRun = { '200': json('The run', run) }
  const stream = { '200': events }
  const wait = { '200': outcome }
  const onThreadWith = { path: onThread, body: requests.runCreate, refusals: created }
  const aloneWith = { body: requests.runCreate, refusals: alone }
  return {
    '/threads/{thread_id}/runs': {
      post: describe({ summary: 'Start a run in the background', answers: theRun, ...onThreadWith }),
      get: describe({
        summary: 'List the runs of a thread',
        answers: { '200': json('Runs, with the fields that were selected', z.array(runPart)) },
        path: onThread,
        query: requests.runList,
        refusals: ['thread-not-found'],
      }),
    },
    '/threads/{thread_id}/runs/stream': {
      post: describe({ summary: 'Start a run and stream its events', answers: stream, ...onThreadWith }),
    },
    '/threads/{thread_id}/runs/wait': {
      post: describe({ summary: 'Start a run and wait until it has finished', answers: wait, ...onThreadWith }),
    },
    '/threads/{thread_id}/runs/{run_id}': {
      get: describe({ summary: 'Read a run', answers: theRun, path, refusals: missing }),
      delete: describe({ summary: 'Delete a run', answers: { '204': nothing('It is gone') }, path, refusals: missing }),
    },
    '/threads/{thread_id}/runs/{run_id}/join': {
      get: describe({
        summary: 'Wait until a run has finished',
        answers: wait,
        path,
        query: runJoin,
        refusals: missing,
      }),
    },
    '/threads/{thread_id}/runs/{run_id}/stream': {
      get: describe({ summary: 'Follow a run', answers: stream, path, query: runStream, header, refusals: missing }),
    },
    '/threads/{thread_id}/runs/{run_id}/cancel': {
      post: describe({
        summary: 'Cancel a run',
        answers: { '202': nothing('It is being stopped'), '204': nothing('With `wait`: it has stopped') },
        path,
        query: runCancel,
        refusals: missing,
      }),
    },
    '/runs/cancel': {
      post: describe({
        summary: 'Cancel runs',
        answers: { '204': nothing('They have stopped') },
        query: cancelAction,
        body: runsCancel,
        refusals: ['run-not-found'],
      }),
    },
    '/runs': {
      post: describe({ summary: 'Start a run without a thread in the background', answers: theRun, ...aloneWith }),
    },
    '/runs/stream': {
      post: describe({ summary: 'Start a run without a thread and stream its events', answers: stream, ...aloneWith }),
    },
    '/runs/wait': {
      post: describe({ summary: 'Start a run without a thread and wait for it', answers: wait, ...aloneWith }),
    },
    '/runs/batch': {
      post: describe({
        summary: 'Start many runs without a thread',
        answers: { '200': json('The runs', z.array(run)) },
        body: runBatch(requests.runCreate),
        refusals: alone,
      }),
    },
    '/runs/{run_id}/stream': {
      get: describe({
        summary: 'Follow a run without a thread',
        answers: stream,
        path: z.object({ run_id: uuid }),
        query: runStream,
        header,
        refusals: ['run-not-found'],
      }),
    },
  }
}
