import { ApiError } from '../../http/errors.ts'
import { takePage } from '../../http/page.ts'
import { parse, readBody } from '../../http/request.ts'
import { authorize, writtenMetadata } from '../access.ts'
import { assistantInPath, checkGraph } from '../assistants.ts'
import { matches } from '../auth/filter.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import type { Assistant, AssistantVersion } from '../records.ts'
import {
  type AssistantPatch,
  assistantDelete,
  assistantPatch,
  versionChoice,
  versionSearch,
} from '../schemas/assistant-requests.ts'
import { deleteThread } from '../threads.ts'

/** Changing and deleting assistants, and their versions, as the public API does; the document does not name it. */
export function assistantChangeRoutes(deployment: Deployment): DeploymentRoute[] {
  const path = '/assistants/:assistant_id'
  return [
    { method: 'PATCH', path, answer: (call) => changeAssistant(deployment, call) },
    { method: 'DELETE', path, answer: (call) => deleteAssistant(deployment, call) },
    { method: 'POST', path: `${path}/versions`, answer: (call) => listVersions(deployment, call) },
    { method: 'POST', path: `${path}/latest`, answer: (call) => chooseVersion(deployment, call) },
  ]
}

/** Every change is a version of its own, which runs from now on. */
async function changeAssistant(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, dialect, policies, store } = deployment
  const request = await readBody(deployment, call, assistantPatch)
  if (request.graph_id !== undefined) checkGraph(deployment, request.graph_id)
  const payload = { ...request, metadata: { ...request.metadata } }
  const assistant = await assistantInPath(deployment, call, 'update', payload)
  const [present, ...others] = versionsOf(assistant)
  const version = Math.max(...versionsOf(assistant).map((known) => known.version)) + 1
  const changed: Assistant = {
    ...assistant,
    ...changes(request),
    metadata: { ...assistant.metadata, ...writtenMetadata(payload) },
    updated_at: clock.now(),
    version,
    versions: [...others, present],
  }
  store.assistants.replace(assistant.assistant_id, changed)
  return Response.json(policies.presentAssistant(changed, dialect))
}

function changes({ graph_id, name, description, config, context }: AssistantPatch): Partial<Assistant> {
  return {
    ...(graph_id !== undefined && { graph_id }),
    ...(name != null && { name }),
    ...(description != null && { description }),
    ...(config != null && { config: { ...config } }),
    ...(context != null && { context }),
  }
}

async function deleteAssistant(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { store } = deployment
  const { delete_threads } = parse(assistantDelete, call.query(), 'invalid-query')
  const { assistant_id } = await assistantInPath(deployment, call, 'delete')
  if (delete_threads === 'true') {
    const permit = await authorize(deployment, call, 'threads', 'delete', { assistant_id, metadata: {} })
    const threads = [...store.threads.values()].filter(({ metadata }) => metadata['assistant_id'] === assistant_id)
    for (const thread of threads) if (permit(thread.metadata)) deleteThread(deployment, thread)
  }
  store.assistants.delete(assistant_id)
  return new Response(null, { status: 204 })
}

async function listVersions(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies } = deployment
  const request = await readBody(deployment, call, versionSearch)
  const assistant = await assistantInPath(deployment, call)
  const found = versionsOf(assistant)
    .toSorted((a, b) => b.version - a.version)
    .filter(({ metadata }) => request.metadata == null || matches(request.metadata, metadata))
  return Response.json(
    takePage(found, request).map((version) => policies.presentAssistant({ ...assistant, ...version }, dialect)),
  )
}

async function chooseVersion(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies, store } = deployment
  const { version } = await readBody(deployment, call, versionChoice)
  const assistant = await assistantInPath(deployment, call, 'update', { version, metadata: {} })
  const versions = versionsOf(assistant)
  const chosen = versions.find((known) => known.version === version)
  if (chosen === undefined) {
    const known = versions.map((one) => one.version).toSorted((a, b) => a - b)
    throw new ApiError('version-not-found', `The assistant has no version ${version}, only ${known.join(', ')}`)
  }
  const changed: Assistant = { ...assistant, ...chosen, versions: versions.filter((known) => known !== chosen) }
  store.assistants.replace(assistant.assistant_id, changed)
  return Response.json(policies.presentAssistant(changed, dialect))
}

/** Every version of an assistant; the one that runs is the first. */
function versionsOf({
  assistant_id,
  created_at,
  versions,
  ...present
}: Assistant): [AssistantVersion, ...AssistantVersion[]] {
  return [present, ...versions]
}
