import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { uuid } from '../../http/fields.ts'
import type { Dialect } from '../dialect.ts'
import { assistant, assistantPart, graph, graphSchemas } from '../schemas/answers.ts'
import {
  assistantCreate,
  assistantDelete,
  assistantFilter,
  assistantPatch,
  assistantSearch,
  versionChoice,
  versionSearch,
} from '../schemas/assistant-requests.ts'
import { type Describe, json, nothing } from './describe.ts'

/** The endpoints of assistants. */
export function assistantPaths(describe: Describe, { assistants }: Dialect): ZodOpenApiPathsObject {
  const path = z.object({ assistant_id: assistants.inPath === 'id' ? uuid : z.string() })
  const unknown = { path, refusals: ['assistant-not-found'] } as const
  const one = { '200': json('The assistant', assistant) }
  const ofGraph = { path, refusals: ['assistant-not-found', 'graph-not-found'] } as const
  const none = { '200': json('No graphs: those of this server are flat', z.object({})) }
  return {
    '/assistants': {
      post: describe({
        summary: 'Create an assistant',
        answers: one,
        body: assistantCreate,
        refusals: ['already-exists', 'graph-not-found'],
      }),
    },
    '/assistants/search': {
      post: describe({
        summary: 'Search assistants',
        answers: { '200': json('Assistants, with the fields that were selected', z.array(assistantPart)) },
        body: assistantSearch,
      }),
    },
    '/assistants/count': {
      post: describe({
        summary: 'Count assistants',
        answers: { '200': json('How many there are', z.int()) },
        body: assistantFilter,
      }),
    },
    '/assistants/{assistant_id}': {
      get: describe({ summary: 'Read an assistant', answers: one, ...unknown }),
      patch: describe({
        summary: 'Make a new version of an assistant',
        answers: one,
        body: assistantPatch,
        ...ofGraph,
      }),
      delete: describe({
        summary: 'Delete an assistant',
        answers: { '204': nothing('It is gone') },
        query: assistantDelete,
        ...unknown,
      }),
    },
    '/assistants/{assistant_id}/versions': {
      post: describe({
        summary: 'List the versions of an assistant',
        answers: { '200': json('Versions, newest first', z.array(assistant)) },
        body: versionSearch,
        ...unknown,
      }),
    },
    '/assistants/{assistant_id}/latest': {
      post: describe({
        summary: 'Choose the version of an assistant that runs',
        answers: one,
        path,
        body: versionChoice,
        refusals: ['assistant-not-found', 'version-not-found'],
      }),
    },
    '/assistants/{assistant_id}/graph': {
      get: describe({ summary: 'Read the graph', answers: { '200': json('Its nodes and edges', graph) }, ...ofGraph }),
    },
    '/assistants/{assistant_id}/schemas': {
      get: describe({
        summary: 'Read what the graph takes and gives',
        answers: { '200': json('JSON Schemas', graphSchemas) },
        ...ofGraph,
      }),
    },
    '/assistants/{assistant_id}/subgraphs': {
      get: describe({ summary: 'Read the graphs inside the graph', answers: none, ...ofGraph }),
    },
    '/assistants/{assistant_id}/subgraphs/{namespace}': {
      get: describe({
        summary: 'Read the graphs inside the graph',
        answers: none,
        ...ofGraph,
        path: path.extend({ namespace: z.string() }),
      }),
    },
  }
}
