import { listenForExports } from '../../cli/mock-exports.ts'
import { openBucketStore } from '../../fixtures/bucket/open.ts'
import type { Implementation } from '../../reporters/ledger.ts'
import { observe } from './observe.ts'

/** Observes what the mock server's bulk export API does, as the hosted service. */
export async function observeExports(): Promise<Implementation> {
  const bucket = await openBucketStore('embedded')
  const mock = await listenForExports({})
  try {
    const manifest = { endpoints: { export: mock.endpoint }, bucket: bucket.store }
    return { name: 'mock server', observed: await observe(manifest, 'export', 'ledger') }
  } finally {
    await mock.close()
    await bucket.close()
  }
}
