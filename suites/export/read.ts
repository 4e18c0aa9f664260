import { exportTable, listedTable } from '../catalog/export/bulk-export.ts'
import { fieldIds } from '../catalog/fields.ts'
import { answerShape } from '../harness/answer-shape.ts'
import { type Check, scenario } from '../harness/check.ts'
import { Blocked } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { outlined } from '../harness/export/found.ts'
import { untilListed } from '../harness/export/listed.ts'
import { wholeExport } from '../harness/export/played.ts'
import { creationTime } from '../harness/export/service-clock.ts'
import { at, show, textAt } from '../harness/json.ts'
import { oneOff, scheduled, send } from './create.ts'

const unknown = '11111111-1111-4111-8111-111111111111'

/** An export of this session, alone and in the list. */
async function readExport(context: ExportContext) {
  const [before, id, after] = [
    await context.driver.now(),
    await context.exports.create((await oneOff(context)) as never),
    await context.driver.now(),
  ]
  return { id, before, after }
}

const alone = exportCheck(
  ['export.get.answers-export', 'export.get.fields.others', 'export.get.unknown', 'export.get.malformed-id'],
  'reads an export by id',
  async (context) => {
    const { exports, decide, observe } = context
    const { id } = await readExport(context)
    const found = await exports.get(id, { judged: true })
    const named = at(found, 'id')
    await decide('export.get.answers-export', () =>
      context.verify(
        named === undefined || named === id,
        'the export that is read',
        `the one with the id ${id}`,
        outlined(found),
      ),
    )
    observe('export.get.fields.others', Object.keys(Object(found)).join(', '))
    const read = (path: string) => exports.http.send({ method: 'GET', path, judged: true, intent: 'probe' })
    observe('export.get.unknown', answerShape(await read(`${base}/${unknown}`)))
    observe('export.get.malformed-id', answerShape(await read(`${base}/touchstone`)))
  },
)

const fields = scenario<ExportContext>(fieldIds(exportTable, listedTable), 'reads a new export', async (context) => {
  const { id } = await readExport(context)
  await context.exports.get(id)
  await untilListed(context, [id])
})

const list = exportCheck(
  [
    'export.list.answers-list',
    'export.list.complete',
    'export.list.creation-time',
    'export.list.creation-time-name',
    'export.list.form',
    'export.list.order',
    'export.list.limit',
    'export.list.offset',
    'export.limits.page-size',
    'export.schedule.source-of-others',
  ],
  'lists exports',
  async (context) => {
    const { exports, decide, verify, observe } = context
    const first = await readExport(context)
    const second = await readExport(context)
    const schedule = await scheduled(context).then(
      async (body) => [await exports.create(body as never)],
      () => [],
    )
    const wanted = [first.id, second.id, ...schedule]
    await exports.list({ judged: true })
    await decide('export.list.answers-list', () => undefined)
    const found = await untilListed(context, wanted)
    const ids = found.map((one) => textAt(one, 'id'))
    const missing = wanted.filter((id) => !ids.includes(id))
    await decide('export.list.complete', () =>
      verify(missing.length === 0, 'exports that are not listed', 'none', missing, { read: base }),
    )
    const shown = found.find((one) => textAt(one, 'id') === first.id)
    let name: string | undefined
    await decide('export.list.creation-time', async () => {
      if (shown === undefined) throw new Blocked('export.list.complete', `the export ${first.id} is not listed`)
      name = await creationTime(context, shown, [first.before, first.after])
      const page = { read: base, holding: first.id }
      verify(name !== undefined, 'a listed export', 'a time at which it was created', outlined(shown), page)
    })
    observe('export.list.creation-time-name', name ?? 'none')
    observe('export.schedule.source-of-others', show(at(shown, 'source_bulk_export_id')))
    const [one, two] = [ids.indexOf(first.id), ids.indexOf(second.id)]
    observe('export.list.order', one < two ? 'oldest first' : 'newest first')
    const ask = (query: string) => exports.http.send({ method: 'GET', path: `${base}${query}` })
    const plain = await ask('')
    observe('export.list.form', Array.isArray(plain.json) ? 'an array' : answerShape(plain))
    const short = async (query: string) => {
      const answer = await ask(query)
      return `${query}: ${answer.status}${Array.isArray(answer.json) ? `, ${Math.min(answer.json.length, 3)} of them` : ''}`
    }
    observe('export.list.limit', [await short('?limit=1'), await short('?limit=0')].join('; '))
    observe('export.list.offset', [await short('?limit=1&offset=1'), await short('?offset=-1')].join('; '))
    const size = async (limit: number) => `limit ${limit}: ${(await ask(`?limit=${limit}`)).status}`
    observe('export.limits.page-size', [await size(1000), await size(1001)].join('; '))
  },
)

const unknownRuns = exportCheck(
  ['export.runs.answers-list', 'export.runs.own', 'export.runs.of-schedule', 'export.runs.unknown'],
  'lists only the runs of the named export',
  async (context) => {
    const { exports, decide, verify, observe } = context
    const whole = await wholeExport(context)
    const other = await readExport(context)
    await exports.ended(other.id)
    const ids = new Set(whole.runs.map(runId))
    const own = await exports.runs(other.id, { judged: true })
    await decide('export.runs.answers-list', () => undefined)
    const shared = own.filter((run) => ids.has(runId(run)))
    await decide('export.runs.own', () =>
      verify(shared.length === 0, 'runs of another export in the list of an export', 'none', shared),
    )
    const ask = (id: string) => exports.http.send({ method: 'GET', path: `${base}/${id}/runs`, judged: true })
    observe('export.runs.unknown', answerShape(await ask(unknown)))
    const body = await scheduled(context).catch(() => undefined)
    const schedule = body && textAt((await send(context, body)).json, 'id')
    observe(
      'export.runs.of-schedule',
      schedule === undefined ? 'there are no scheduled exports' : answerShape(await ask(schedule)),
    )
  },
)

/** A number may count the runs of each export: then all of a run tells it apart. */
function runId(run: unknown): string {
  return show(textAt(run, 'id') ?? textAt(run, 'run_id') ?? run, 2000)
}

export const readChecks: readonly Check[] = [alone, list, fields, unknownRuns]
