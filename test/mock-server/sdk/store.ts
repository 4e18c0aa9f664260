import { expect } from 'vitest'
import type { SdkCall } from './context.ts'

/** Writes three items. */
async function fill({ client }: Parameters<SdkCall['try']>[0]): Promise<void> {
  await client.store.putItem(['users', 'ada'], 'profile', { language: 'en', age: 36 })
  await client.store.putItem(['users', 'bob'], 'profile', { language: 'de', age: 52 })
  await client.store.putItem(['shops'], 'north', { open: true })
}

export const storeCalls: readonly SdkCall[] = [
  {
    method: 'store.putItem',
    request: 'PUT /store/items',
    try: async (context) => {
      const { client } = context
      await fill(context)
      await client.store.putItem(['shops'], 'north', { open: false })
      const { items } = await client.store.searchItems(['shops'])
      expect(items).toMatchObject([{ namespace: ['shops'], key: 'north', value: { open: false } }])
    },
  },
  {
    method: 'store.getItem',
    request: 'GET /store/items',
    try: async (context) => {
      await fill(context)
      const found = await context.client.store.getItem(['users', 'ada'], 'profile')
      expect(found).toMatchObject({ namespace: ['users', 'ada'], key: 'profile', value: { language: 'en', age: 36 } })
      expect(found?.createdAt).toBe(found?.updatedAt)
      expect(await context.client.store.getItem(['users'], 'profile')).toBeNull()
    },
  },
  {
    method: 'store.deleteItem',
    request: 'DELETE /store/items',
    try: async (context) => {
      await fill(context)
      await context.client.store.deleteItem(['users', 'ada'], 'profile')
      await context.client.store.deleteItem(['users', 'ada'], 'unknown')
      expect((await context.client.store.searchItems([])).items).toHaveLength(2)
    },
  },
  {
    method: 'store.searchItems',
    request: 'POST /store/items/search',
    try: async (context) => {
      await fill(context)
      const search = async (...of: Parameters<typeof context.client.store.searchItems>): Promise<unknown[]> => {
        const { items } = await context.client.store.searchItems(...of)
        return items.map(({ namespace, key }) => [...namespace, key].join(' '))
      }
      expect(await search(['users'])).toEqual(['users ada profile', 'users bob profile'])
      expect(await search(['users'], { filter: { language: 'de' } })).toEqual(['users bob profile'])
      expect(await search(['users'], { filter: { age: { $lt: 40 } } })).toEqual(['users ada profile'])
      expect(await search([], { limit: 1, offset: 2 })).toEqual(['shops north'])
    },
  },
  {
    method: 'store.listNamespaces',
    request: 'POST /store/namespaces',
    try: async (context) => {
      await fill(context)
      const list = async (options: object): Promise<unknown> => {
        return ((await context.client.store.listNamespaces(options)) as { namespaces: unknown }).namespaces
      }
      expect(await list({})).toEqual([['shops'], ['users', 'ada'], ['users', 'bob']])
      expect(await list({ prefix: ['users'], maxDepth: 1 })).toEqual([['users']])
      expect(await list({ suffix: ['bob'] })).toEqual([['users', 'bob']])
      expect(await list({ prefix: ['*', 'ada'] })).toEqual([['users', 'ada']])
    },
  },
]
