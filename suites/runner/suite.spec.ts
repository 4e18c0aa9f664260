import { afterAll, inject, test } from 'vitest'
import { checks } from '../checks.ts'
import { runCheck } from '../harness/run-check.ts'
import { runsOn } from '../harness/run-checks.ts'
import { openSession, shareEndpoint } from '../harness/session.ts'
import './job.ts'
import { tellingKeeper } from './lasting-channel.ts'

const { manifest, rows, seed, repeat, channel } = inject('touchstone')
const wanted = new Set(rows)
const keeper = tellingKeeper(channel, manifest.limits)

for (const name of Object.keys(manifest.endpoints)) {
  const shared = shareEndpoint(keeper)
  for (let round = 1; round <= repeat; round++) {
    // What checks share is made anew each round: on a thread that every round uses, lists would outgrow a page.
    const session = openSession(manifest, name, seed, shared)
    afterAll(() => session.close())
    for (const check of checks) {
      if (!runsOn(check, session) || !check.rows.some((row) => wanted.has(row))) continue
      test.concurrent(`${name}: ${check.title} (${round})`, async ({ task }) => {
        task.meta.touchstone = (await runCheck(check, session)).filter(
          ({ row, verdict }) => wanted.has(row) || verdict === 'fail',
        )
      })
    }
  }
}
