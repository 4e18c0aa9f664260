import { z } from 'zod'
import { takePage } from '../../http/page.ts'
import { parse, readBody } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { storeAccess } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { itemDelete, itemGet, itemPut, itemSearch, namespaceList } from '../schemas/item-requests.ts'
import { item } from '../schemas/responses.ts'
import { itemId, listNamespaces, liveItem, renew, searchItems } from '../store/items.ts'

const MINUTE_MS = 60_000

/** The store of items for graphs and clients, as the public API has it. The specification does not mention it. */
export const storeRoutes: readonly DeploymentRoute[] = [
  route('PUT /store/items', 'Write an item of the store', {
    schemas: () => ({ body: itemPut, responses: { '204': { description: 'Written' } } }),
    handle: putItem,
  }),
  route('GET /store/items', 'Read an item of the store', {
    schemas: () => ({ query: itemGet, responses: ok('The item; null if it does not exist', item.nullable()) }),
    handle: getItem,
  }),
  route('DELETE /store/items', 'Delete an item of the store', {
    schemas: () => ({ body: itemDelete, responses: { '204': { description: 'Deleted' } } }),
    handle: deleteItem,
  }),
  route('POST /store/items/search', 'Search items of the store', {
    schemas: () => ({ body: itemSearch, responses: ok('The items, oldest first', z.object({ items: z.array(item) })) }),
    handle: search,
  }),
  route('POST /store/namespaces', 'List the namespaces of the store', {
    schemas: () => ({
      body: namespaceList,
      responses: ok('The namespaces', z.object({ namespaces: z.array(z.array(z.string())) })),
    }),
    handle: namespaces,
  }),
]

async function putItem(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, store } = deployment
  const request = await readBody(deployment, call, itemPut)
  const { namespace, key, value, ttl } = await storeAccess(deployment, call, 'put', request)
  const id = itemId(namespace, key)
  const now = clock.now()
  const existing = liveItem(store.items, id, now)
  const ttlMs = ttl == null ? undefined : ttl * MINUTE_MS
  const written = {
    namespace,
    key,
    value,
    created_at: existing?.created_at ?? now,
    updated_at: now,
    ttlMs,
    expires_at: ttlMs === undefined ? Number.MAX_SAFE_INTEGER : now + ttlMs,
  }
  if (existing === undefined) store.items.add(id, written)
  else store.items.replace(id, written)
  return new Response(null, { status: 204 })
}

async function getItem(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, dialect, policies, store } = deployment
  const query = parse(itemGet, call.query(), 'invalid-query')
  const { namespace, key, refresh_ttl } = await storeAccess(deployment, call, 'get', query)
  const found = liveItem(store.items, itemId(namespace, key), clock.now())
  if (found !== undefined && refresh_ttl) renew(found, clock.now())
  return Response.json(found === undefined ? null : policies.presentItem(found, dialect))
}

async function deleteItem(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const request = await readBody(deployment, call, itemDelete)
  const { namespace, key } = await storeAccess(deployment, call, 'delete', request)
  deployment.store.items.delete(itemId(namespace, key))
  return new Response(null, { status: 204 })
}

async function search(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, dialect, policies, store } = deployment
  const { namespace_prefix, ...request } = await readBody(deployment, call, itemSearch)
  const allowed = await storeAccess(deployment, call, 'search', { ...request, namespace: namespace_prefix })
  const wanted = { ...allowed, namespace_prefix: allowed.namespace }
  const page = takePage(searchItems(store.items, wanted, clock.now()), wanted)
  if (wanted.refresh_ttl !== false) for (const found of page) renew(found, clock.now())
  return Response.json({ items: page.map((found) => policies.presentItemFound(found, dialect)) })
}

async function namespaces(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { prefix, ...request } = await readBody(deployment, call, namespaceList)
  const allowed = await storeAccess(deployment, call, 'list_namespaces', { ...request, namespace: prefix })
  const wanted = { ...allowed, prefix: allowed.namespace }
  const all = listNamespaces(deployment.store.items, wanted, deployment.clock.now())
  return Response.json({ namespaces: takePage(all, wanted) })
}
