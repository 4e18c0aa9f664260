import { openBucketStore } from '../../fixtures/bucket/open.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { keepCoresBusy } from '../processes.ts'
import type { Fetch } from '../wrappers/fetch.ts'
import type { Choice } from './choice.ts'
import { delay } from './http/connection.ts'
import { testVariant, type VariantResult } from './test-variant.ts'
import type { Variant } from './variant.ts'

const latencyMs = 300
const requestsPerSecond = 40

const hostile: Choice = {
  id: 'hostile',
  description: 'A slow server that refuses many requests.',
  legal: 'limits.rate: rate limits are not shown',
  values: { environment: { wrap: (fetch) => limitRate(delay(() => latencyMs)(fetch)) } },
}

/** The default budgets, except for exports. */
const budgets = { waitMs: 10_000, slowMs: 600, pollMs: 200, exportMs: 120_000 }

/**
 * Tests the mock server in a hostile environment: all cores are busy, responses take 300 ms, and more than 40 requests per
 * second are refused.
 */
export async function testHostile(profiles: Variant['profiles']): Promise<VariantResult> {
  const settings = [{ choice: hostile.id, value: 'environment' }]
  const { store, close } = await openBucketStore('embedded')
  const stop = keepCoresBusy()
  try {
    return await testVariant(
      { seed: 'hostile', profiles, settings },
      { choices: [hostile], scenarios, bucket: store, budgets },
    )
  } finally {
    await stop()
    await close()
  }
}

/** Refuses requests with 429 when too many arrived within a second. */
function limitRate(fetch: Fetch): Fetch {
  let recent: readonly number[] = []
  return async (request) => {
    const now = performance.now()
    recent = recent.filter((at) => now - at < 1000)
    if (recent.length >= requestsPerSecond)
      return new Response('slow down', { status: 429, headers: { 'retry-after': '1' } })
    recent = [...recent, now]
    return fetch(request)
  }
}
