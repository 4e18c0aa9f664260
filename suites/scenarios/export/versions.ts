import { featureKey } from '../../catalog/export/access.ts'
import { type Feature, featureVersions } from '../../catalog/export/versions.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { Inconclusive, NotApplicable } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { checkSupported, lackOf } from '../../harness/export/features.ts'
import { serviceNow } from '../../harness/export/service-clock.ts'
import { testWindow, testWindowRows } from '../../harness/export/test-window.ts'
import { poll } from '../../harness/waiting.ts'
import { hasEnded } from '../../values/export/statuses.ts'
import { iso } from '../../values/export/times.ts'
import { at, textAt } from '../../values/json.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { oneOff, postExport, postSchedule, scheduled, tryExport } from './create.ts'
import { exportWith, register, withoutCredentials } from './destinations.ts'

const minute = 60_000

/** Sends a request with a feature. */
type Use = (context: ExportContext, requirement: RequirementId) => Promise<unknown>

/** Functions that send a valid request with a feature that the version supports. */
const supported: Readonly<Record<Feature, Use>> = {
  session_token: async (context, requirement) =>
    register(context, await context.exports.destinationBody({ account: 'temporary' }), { requirement }),
  'ambient credentials': async (context, requirement) =>
    register(context, await withoutCredentials(context), { requirement }),
  interval_hours: async (context, requirement) => postSchedule(context, await scheduled(context), { requirement }),
  export_fields: async (context, requirement) =>
    postExport(context, { ...(await oneOff(context)), export_fields: ['id', 'name'] }, { requirement }),
}

/** Functions that send a request with a feature that the version may lack, and wait for its effect. */
const unsupported: Readonly<Record<Feature, Use>> = {
  session_token: async (context, requirement) =>
    register(context, await context.exports.destinationBody({ account: 'temporary' }), {
      intent: 'fault',
      requirement,
    }),
  'ambient credentials': async (context, requirement) =>
    exportWith(context, await withoutCredentials(context), { intent: 'fault', requirement }),
  interval_hours: tryToSchedule,
  async export_fields(context, requirement) {
    await testWindowRows(context)
    const { bounds } = await testWindow(context)
    const request = { ...bounds, export_fields: ['id', 'name'] }
    await tryExport(context, await context.exports.destination(), request, requirement)
  },
}

/** Requests a scheduled export whose first window is due in two minutes, and waits until it has spawned an export or ended. */
async function tryToSchedule(context: ExportContext, requirement: RequirementId): Promise<void> {
  const { exports, driver, session } = context
  const start_time = iso((await serviceNow(context)) - 68 * minute)
  const body = { ...(await oneOff(context)), start_time, end_time: undefined, interval_hours: 1 }
  const { ok, json } = await postExport(context, body, { intent: 'fault', requirement })
  const id = textAt(json, 'id')
  if (!ok || id === undefined) return
  if (await driver.offers('advanceClock')) await session.withClockLock(() => driver.advanceClock(3 * minute))
  const isKnown = await poll(session, async () => {
    const spawned = (await exports.list()).some((each) => at(each, 'source_bulk_export_id') === id)
    return spawned || hasEnded(await exports.get(id), session.statusWords) ? true : undefined
  })
  if (isKnown) return
  throw new Inconclusive(
    'the service accepts `interval_hours`, but nothing shows whether it has an effect',
    `set endpoints.${session.endpointName}.export.driver to a driver with advanceClock`,
  )
}

export const versionScenarios: readonly Scenario[] = (Object.keys(featureVersions) as Feature[]).flatMap((feature) => {
  const [on, off] = (['on', 'off'] as const).map(
    (word) => `export.versioning.${featureKey(feature)}.${word}` as RequirementId,
  ) as [RequirementId, RequirementId]
  return [
    scenario<ExportContext>([on], `uses ${feature} from its version on`, async (context) => {
      checkSupported(context, feature)
      await supported[feature](context, on)
    }),
    scenario<ExportContext>([off], `uses ${feature} below its version`, async (context) => {
      if (lackOf(context.declared.selfHosted, feature) === undefined)
        throw new NotApplicable(`this version supports ${feature}`)
      await unsupported[feature](context, off)
    }),
  ]
})
