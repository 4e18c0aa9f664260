import { expect } from 'vitest'
import { human, type SdkCall } from './context.ts'

export const assistantCalls: readonly SdkCall[] = [
  {
    method: 'assistants.get',
    request: 'GET /assistants/{assistant_id}',
    try: async ({ client }) => {
      const [{ assistant_id } = { assistant_id: '' }] = await client.assistants.search({ graphId: 'echo' })
      expect(await client.assistants.get(assistant_id)).toMatchObject({ graph_id: 'echo', version: 1 })
    },
  },
  {
    method: 'assistants.getGraph',
    request: 'GET /assistants/{assistant_id}/graph',
    try: async ({ client }) => {
      const { assistant_id } = await client.assistants.create({ graphId: 'echo' })
      const { nodes, edges } = await client.assistants.getGraph(assistant_id)
      expect(nodes.map(({ id }) => id)).toEqual(['__start__', 'first', 'second', '__end__'])
      expect(edges.map(({ source, target }) => `${source} ${target}`)).toEqual([
        '__start__ first',
        'first second',
        'second __end__',
      ])
    },
  },
  {
    method: 'assistants.getSchemas',
    request: 'GET /assistants/{assistant_id}/schemas',
    try: async ({ client }) => {
      const { assistant_id } = await client.assistants.create({ graphId: 'echo' })
      expect(await client.assistants.getSchemas(assistant_id)).toMatchObject({
        graph_id: 'echo',
        input_schema: { properties: { messages: { type: 'array' } } },
      })
    },
  },
  {
    method: 'assistants.getSubgraphs',
    request: 'GET /assistants/{assistant_id}/subgraphs',
    try: async ({ client }) => {
      const { assistant_id } = await client.assistants.create({ graphId: 'echo' })
      expect(await client.assistants.getSubgraphs(assistant_id, { recurse: true })).toEqual({})
      expect(await client.assistants.getSubgraphs(assistant_id, { namespace: 'inner' })).toEqual({})
    },
  },
  {
    method: 'assistants.create',
    request: 'POST /assistants',
    try: async ({ client }) => {
      const created = await client.assistants.create({ graphId: 'echo', name: 'Mine', metadata: { team: 'tea' } })
      expect(created).toMatchObject({ graph_id: 'echo', name: 'Mine', metadata: { team: 'tea' }, version: 1 })
      const existing = { graphId: 'echo', assistantId: created.assistant_id }
      await expect(client.assistants.create(existing)).rejects.toMatchObject({ status: 409 })
      expect(await client.assistants.create({ ...existing, ifExists: 'do_nothing' })).toEqual(created)
    },
  },
  {
    method: 'assistants.update',
    request: 'PATCH /assistants/{assistant_id}',
    try: async ({ client }) => {
      const { assistant_id } = await client.assistants.create({
        graphId: 'echo',
        name: 'Mine',
        metadata: { team: 'tea', size: 1 },
      })
      const config = { configurable: { cup: 'blue' } }
      const updated = await client.assistants.update(assistant_id, { graphId: 'chat', config, metadata: { size: 2 } })
      const expected = { graph_id: 'chat', name: 'Mine', config, metadata: { team: 'tea', size: 2 }, version: 2 }
      expect(updated).toMatchObject(expected)
      expect(await client.assistants.get(assistant_id)).toEqual(updated)
    },
  },
  {
    method: 'assistants.delete',
    request: 'DELETE /assistants/{assistant_id}',
    try: async ({ client }) => {
      const { assistant_id } = await client.assistants.create({ graphId: 'echo' })
      const { thread_id } = await client.threads.create()
      await client.runs.wait(thread_id, assistant_id, { input: human('hi') })
      const other = await client.threads.create()
      await client.assistants.delete(assistant_id, { deleteThreads: true })
      await expect(client.assistants.get(assistant_id)).rejects.toMatchObject({ status: 404 })
      await expect(client.threads.get(thread_id)).rejects.toMatchObject({ status: 404 })
      expect(await client.threads.get(other.thread_id)).toMatchObject({ status: 'idle' })
    },
  },
  {
    method: 'assistants.search',
    request: 'POST /assistants/search',
    try: async ({ client }) => {
      for (const name of ['Beta', 'Alpha', 'Gamma']) {
        await client.assistants.create({ graphId: 'echo', name, metadata: { own: true } })
      }
      const assistants = await client.assistants.search({
        metadata: { own: true },
        sortBy: 'name',
        sortOrder: 'asc',
        select: ['name'],
        limit: 2,
      })
      expect(assistants).toEqual([{ name: 'Alpha' }, { name: 'Beta' }])
      const named = await client.assistants.search({ name: 'amm' })
      expect(named.map(({ name }) => name)).toEqual(['Gamma'])
    },
  },
  {
    method: 'assistants.count',
    request: 'POST /assistants/count',
    try: async ({ client }) => {
      await client.assistants.create({ graphId: 'echo' })
      expect(await client.assistants.count({ graphId: 'echo' })).toBe(2)
    },
  },
  {
    method: 'assistants.getVersions',
    request: 'POST /assistants/{assistant_id}/versions',
    try: async ({ client }) => {
      const { assistant_id } = await client.assistants.create({ graphId: 'echo', name: 'One' })
      await client.assistants.update(assistant_id, { name: 'Two' })
      await client.assistants.update(assistant_id, { name: 'Three' })
      const versions = await client.assistants.getVersions(assistant_id, { limit: 2 })
      expect(versions.map(({ version, name }) => [version, name])).toEqual([
        [3, 'Three'],
        [2, 'Two'],
      ])
    },
  },
  {
    method: 'assistants.setLatest',
    request: 'POST /assistants/{assistant_id}/latest',
    try: async ({ client }) => {
      const { assistant_id } = await client.assistants.create({ graphId: 'echo', name: 'One' })
      await client.assistants.update(assistant_id, { name: 'Two' })
      expect(await client.assistants.setLatest(assistant_id, 1)).toMatchObject({ version: 1, name: 'One' })
      expect(await client.assistants.get(assistant_id)).toMatchObject({ version: 1, name: 'One' })
      expect(await client.assistants.update(assistant_id, { name: 'Three' })).toMatchObject({ version: 3 })
      await expect(client.assistants.setLatest(assistant_id, 9)).rejects.toMatchObject({ status: 404 })
    },
  },
]
