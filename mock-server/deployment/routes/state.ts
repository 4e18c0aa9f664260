import { parse, readBody } from '../../http/request.ts'
import { threadOf } from '../access.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import { type HistorySearch, historyList, historySearch, stateAt, stateUpdate } from '../schemas/thread-requests.ts'
import { checkpointOf } from '../state/checkpoint.ts'
import { history } from '../state/history.ts'
import { updateState } from '../state/update.ts'

/** The state of a thread, now and before. Sections of the document: Endpoints, Thread state; the rest is the public API's. */
export function stateRoutes(deployment: Deployment): DeploymentRoute[] {
  const { dialect, policies } = deployment
  const path = '/threads/:thread_id'
  return [
    {
      method: 'GET',
      path: `${path}/state`,
      answer: async (call) => {
        const thread = await threadOf(deployment, call, 'read')
        return Response.json(policies.presentState(thread, policies.stateView(thread), dialect))
      },
    },
    { method: 'POST', path: `${path}/state`, answer: (call) => writeState(deployment, call) },
    {
      method: 'POST',
      path: `${path}/state/checkpoint`,
      answer: async (call) => {
        const { checkpoint } = await readBody(deployment, call, stateAt)
        return showState(deployment, call, checkpoint.checkpoint_id ?? undefined)
      },
    },
    {
      method: 'GET',
      path: `${path}/state/:checkpoint_id`,
      answer: (call) => showState(deployment, call, call.param('checkpoint_id')),
    },
    {
      method: 'POST',
      path: `${path}/history`,
      answer: async (call) => showHistory(deployment, call, await readBody(deployment, call, historySearch)),
    },
    {
      method: 'GET',
      path: `${path}/history`,
      answer: (call) => showHistory(deployment, call, parse(historyList, call.query(), 'invalid-query')),
    },
  ]
}

async function showState(
  deployment: Deployment,
  call: DeploymentCall,
  checkpoint_id: string | undefined,
): Promise<Response> {
  const thread = await threadOf(deployment, call, 'read')
  return Response.json(
    deployment.policies.presentState(thread, checkpointOf(thread, checkpoint_id), deployment.dialect),
  )
}

async function showHistory(deployment: Deployment, call: DeploymentCall, wanted: HistorySearch): Promise<Response> {
  const { dialect, policies } = deployment
  const thread = await threadOf(deployment, call, 'read')
  return Response.json(history(thread, wanted).map((checkpoint) => policies.presentState(thread, checkpoint, dialect)))
}

async function writeState(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const request = await readBody(deployment, call, stateUpdate)
  const thread = await threadOf(deployment, call, 'update', { ...request, metadata: {} })
  const parent = checkpointOf(thread, request.checkpoint_id ?? request.checkpoint?.checkpoint_id)
  const { checkpoint_id } = updateState(deployment, thread, parent, [request], call.caller)
  const { thread_id } = thread
  const reference = { thread_id, checkpoint_ns: '', checkpoint_id }
  return Response.json({ checkpoint: reference, configurable: reference })
}
