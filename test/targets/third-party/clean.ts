import { comparedClient } from './sdk-calls.ts'

/** Removes what a call has left on a server, so that the next call finds only its own. */
export async function clean(url: string): Promise<void> {
  const { threads, assistants, store, crons } = new comparedClient({ apiUrl: url, callerOptions: { maxRetries: 0 } })
  const ignore = () => undefined
  for (const { thread_id } of await threads.search({ limit: 1000 })) await threads.delete(thread_id).catch(ignore)
  for (const { assistant_id, metadata } of await assistants.search({ limit: 1000 })) {
    if (metadata?.['created_by'] !== 'system') await assistants.delete(assistant_id).catch(ignore)
  }
  for (const root of ['users', 'shops']) {
    for (const { namespace, key } of (await store.searchItems([root])).items) await store.deleteItem(namespace, key)
  }
  for (const { cron_id } of await crons.search().catch(() => [])) await crons.delete(cron_id)
}
