import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { takePage } from '../../http/page.ts'
import { parse, readBody } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { authorize, writtenMetadata } from '../access.ts'
import { assistantInPath, checkGraph } from '../assistants.ts'
import { matches } from '../auth/filter.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import type { Assistant, AssistantVersion } from '../records.ts'
import {
  type AssistantPatch,
  assistantDelete,
  assistantPatch,
  versionChoice,
  versionSearch,
} from '../schemas/assistant-requests.ts'
import { assistant } from '../schemas/responses.ts'
import { deleteThread } from '../threads.ts'

/** Changing and deleting assistants, and their versions, as the public API does. The specification does not mention it. */
export const assistantChangeRoutes: readonly DeploymentRoute[] = [
  route('PATCH /assistants/{assistant_id}', 'Create a new version of an assistant', {
    schemas: () => ({
      body: assistantPatch,
      responses: ok('The assistant', assistant),
      errors: ['assistant-not-found', 'graph-not-found'],
    }),
    handle: changeAssistant,
  }),
  route('DELETE /assistants/{assistant_id}', 'Delete an assistant', {
    schemas: () => ({
      query: assistantDelete,
      responses: { '204': { description: 'Deleted' } },
      errors: ['assistant-not-found'],
    }),
    handle: deleteAssistant,
  }),
  route('POST /assistants/{assistant_id}/versions', 'List the versions of an assistant', {
    schemas: () => ({
      body: versionSearch,
      responses: ok('Versions, newest first', z.array(assistant)),
      errors: ['assistant-not-found'],
    }),
    handle: listVersions,
  }),
  route('POST /assistants/{assistant_id}/latest', 'Select the active version of an assistant', {
    schemas: () => ({
      body: versionChoice,
      responses: ok('The assistant', assistant),
      errors: ['assistant-not-found', 'version-not-found'],
    }),
    handle: chooseVersion,
  }),
]

/** Adds a version with the changes, which becomes the active one. */
async function changeAssistant(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, dialect, policies, store } = deployment
  const request = await readBody(deployment, call, assistantPatch)
  if (request.graph_id !== undefined) checkGraph(deployment, request.graph_id)
  const payload = { ...request, metadata: { ...request.metadata } }
  const current = await assistantInPath(deployment, call, 'update', payload)
  const [active, ...others] = versionsOf(current)
  const version = Math.max(...versionsOf(current).map((known) => known.version)) + 1
  const changed: Assistant = {
    ...current,
    ...changes(request),
    metadata: { ...current.metadata, ...writtenMetadata(payload) },
    updated_at: clock.now(),
    version,
    versions: [...others, active],
  }
  store.assistants.replace(current.assistant_id, changed)
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
  const current = await assistantInPath(deployment, call)
  const matching = versionsOf(current)
    .toSorted((a, b) => b.version - a.version)
    .filter(({ metadata }) => request.metadata == null || matches(request.metadata, metadata))
  return Response.json(
    takePage(matching, request).map((version) => policies.presentAssistant({ ...current, ...version }, dialect)),
  )
}

async function chooseVersion(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies, store } = deployment
  const { version } = await readBody(deployment, call, versionChoice)
  const current = await assistantInPath(deployment, call, 'update', { version, metadata: {} })
  const versions = versionsOf(current)
  const chosen = versions.find((known) => known.version === version)
  if (chosen === undefined) {
    const known = versions.map((item) => item.version).toSorted((a, b) => a - b)
    throw new ApiError('version-not-found', `The assistant has no version ${version}, only ${known.join(', ')}`)
  }
  const changed: Assistant = { ...current, ...chosen, versions: versions.filter((known) => known !== chosen) }
  store.assistants.replace(current.assistant_id, changed)
  return Response.json(policies.presentAssistant(changed, dialect))
}

/** Returns all versions of an assistant, the active one first. */
function versionsOf({
  assistant_id,
  created_at,
  versions,
  ...active
}: Assistant): [AssistantVersion, ...AssistantVersion[]] {
  return [active, ...versions]
}
