import { exportTable, listedTable } from '../../catalog/export/bulk-export.ts'
import { fieldIds } from '../../catalog/fields.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { checkPages } from '../../harness/export/pages.ts'
import { exportsPath } from '../../harness/export/paths.ts'
import { checkClockReadable } from '../../harness/export/service-clock.ts'
import { testWindowExport } from '../../harness/export/test-window.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { hasEnded } from '../../values/export/statuses.ts'
import { creationTimeFields } from '../../values/export/times.ts'
import { at, show, textAt } from '../../values/json.ts'
import { orderOf } from '../list-order.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import { cancelUnneeded, oneOff, postExport, scheduled, unknownId } from './create.ts'

/** Creates an export. Returns its id, and the times of the service before and after its creation. */
async function createExport(context: ExportContext) {
  const [before, id, after] = [
    await context.driver.now(),
    await context.exports.create(await oneOff(context)),
    await context.driver.now(),
  ]
  return { id, before, after }
}

const reads = scenario<ExportContext>(
  [
    ...fieldIds(exportTable, listedTable),
    'export.get.answers-export',
    'export.list.answers-list',
    'export.list.complete',
    'export.list.creation-time',
    'export.list.creation-time-kept',
    'export.list.current-status',
    'export.errors.run.none-on-success',
    'export.list.once',
    'export.run.id',
    'export.runs.answers-list',
    'export.runs.kept',
    'export.runs.once',
    'export.runs.own',
    'export.get.keeps-final',
  ],
  'reads exports',
  async (context) => {
    const { exports, session } = context
    const { id } = await createExport(context)
    await exports.get(id)
    const schedule = await scheduled(context).then(
      async (body) => [await exports.create(body)],
      () => [],
    )
    const list = await exports.untilListed([id, ...schedule])
    await exports.waitForEnd(id)
    await testWindowExport(context)
    await exports.runs(id)
    await exports.get(id)
    await exports.runs(id)
    // A list may show the end of an export later than a read.
    await exports.untilListed([id], (record) => hasEnded(record, session.statusWords))
    await checkClockReadable(context)
    await checkPages(exports.http, list, [id, ...schedule])
    for (const each of schedule) await cancelUnneeded(context, each)
  },
)

const undocumented = exportProbe(
  [
    'export.get.fields.others',
    'export.get.unknown',
    'export.get.malformed-id',
    'export.list.creation-time-name',
    'export.list.form',
    'export.list.order',
    'export.list.limit',
    'export.list.offset',
    'export.limits.page-size',
    'export.schedule.source-of-others',
    'export.runs.of-schedule',
    'export.runs.unknown',
  ],
  'observes undocumented reads',
  async (context) => {
    const { exports, observe } = context
    const first = await createExport(context)
    const created = [first.id, (await createExport(context)).id, (await createExport(context)).id]
    const read = (path: string) => exports.http.send({ method: 'GET', path: `${exportsPath}${path}`, sendOnce: true })
    observe('export.get.fields.others', Object.keys(Object(await exports.get(first.id))).join(', '))
    observe('export.get.unknown', responseShape(await read(`/${unknownId}`)))
    observe('export.get.malformed-id', responseShape(await read('/touchstone')))
    observe('export.runs.unknown', responseShape(await read(`/${unknownId}/runs`)))
    const listed = await exports.untilListed(created)
    const ids = listed.map((each) => textAt(each, 'id'))
    const record = listed[ids.indexOf(first.id)]
    observe('export.list.creation-time-name', creationTimeFields(record, first.before, first.after)[0] ?? 'none')
    observe('export.schedule.source-of-others', show(at(record, 'source_bulk_export_id')))
    observe('export.list.order', orderOf(ids, created))
    const plain = await read('')
    observe('export.list.form', Array.isArray(plain.json) ? 'an array' : responseShape(plain))
    const short = async (query: string) => {
      const response = await read(query)
      return `${query}: ${response.status}${Array.isArray(response.json) ? `, ${Math.min(response.json.length, 3)} of them` : ''}`
    }
    observe('export.list.limit', [await short('?limit=1'), await short('?limit=0')].join('; '))
    observe('export.list.offset', [await short('?limit=1&offset=1'), await short('?offset=-1')].join('; '))
    const size = async (limit: number) => `limit ${limit}: ${(await read(`?limit=${limit}`)).status}`
    observe('export.limits.page-size', [await size(1000), await size(1001)].join('; '))
    const schedule = await scheduled(context).then(
      async (body) => textAt((await postExport(context, body)).json, 'id'),
      () => undefined,
    )
    observe(
      'export.runs.of-schedule',
      schedule === undefined ? 'there are no scheduled exports' : responseShape(await read(`/${schedule}/runs`)),
    )
    if (schedule !== undefined) await cancelUnneeded(context, schedule)
  },
)

export const readScenarios: readonly Scenario[] = [reads, undocumented]
