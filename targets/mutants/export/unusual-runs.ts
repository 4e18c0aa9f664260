import type { TraceRecord } from '../../../mock-server/export/traces/record.ts'
import { filterCases } from '../../../suites/values/export/filter-cases.ts'
import { type ChangeExports, type Mutant, mutantsOf } from '../mutant.ts'
import { changeRange, changeRecords, isPlain } from './trace-records.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Replaces each text in JSON. */
function changeTexts<Value>(value: Value, change: (text: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? change(each) : each))
}

/** Replaces each key in JSON. */
function changeKeys<Value>(value: Value, change: (key: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each !== 'object' || each === null || Array.isArray(each)
      ? each
      : Object.fromEntries(Object.entries(each).map(([key, inner]) => [change(key), inner])),
  )
}

/** When the root of a trace started, in milliseconds since the Unix epoch. */
function rootStart({ dotted_order }: TraceRecord): number {
  const [, date, hour, minutes, seconds] = /^(\d{8})T(\d\d)(\d\d)(\d\d)/.exec(dotted_order) ?? []
  return Date.parse(`${date?.replace(/^(\d{4})(\d\d)/, '$1-$2-')}T${hour}:${minutes}:${seconds}Z`)
}

/** Keeps some rows of each file of a plain export. `start` returns the function that decides for the rows of a file. */
function keepRows(start: () => (record: TraceRecord) => boolean): ChangeExports {
  return ({ recordsOf }) => ({
    recordsOf: async function* (traces, bulkExport, partition) {
      const isKept = start()
      for await (const batch of recordsOf(traces, bulkExport, partition))
        yield isPlain(bulkExport) ? batch.filter(isKept) : batch
    },
  })
}

/** Keeps the first one of the rows with the same key in a file of a plain export. */
function firstOnly(keyOf: (record: TraceRecord) => string): ChangeExports {
  return keepRows(() => {
    const keys = new Set<string>()
    return (record) => keys.size < keys.add(keyOf(record)).size
  })
}

/** Defects that only runs with unusual values, or unusual windows, show. */
export const unusualRunMutants: readonly Mutant[] = mutantsOf({
  'export.record.inputs.long-texts-cut': {
    defect: 'texts in inputs are cut after 65,535 characters',
    requirements: ['export.record.inputs.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, inputs: changeTexts(record.inputs, (text) => text.slice(0, 65_535)) },
    ]),
  },
  'export.record.outputs.long-texts-cut': {
    defect: 'texts in outputs are cut after 65,535 characters',
    requirements: ['export.record.outputs.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, outputs: changeTexts(record.outputs, (text) => text.slice(0, 65_535)) },
    ]),
  },
  'export.record.outputs.encoded-twice': {
    defect: 'outputs are texts with JSON in a column of JSON',
    requirements: ['export.record.outputs.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, outputs: JSON.stringify(record.outputs) as unknown as TraceRecord['outputs'] },
    ]),
  },
  'export.record.inputs.keys-replaced': {
    defect: 'characters in the keys of inputs other than letters, digits and _ become _',
    requirements: ['export.record.inputs.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, inputs: changeKeys(record.inputs, (key) => key.replaceAll(/\W/g, '_')) },
    ]),
  },
  'export.record.name.ascii': {
    defect: 'characters of names outside ASCII become ?',
    requirements: ['export.record.name.value'],
    exportPolicies: changeRecords((record) => [{ ...record, name: record.name.replaceAll(/[^ -~]/g, '?') }]),
  },
  'export.record.name.normalized': {
    defect: 'names are normalized: Unicode, and spaces as one',
    requirements: ['export.record.name.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, name: record.name.normalize('NFKC').replaceAll(/ +/g, ' ').trim() },
    ]),
  },
  'export.record.name.cut': {
    defect: 'names are cut after 200 characters',
    requirements: ['export.record.name.value'],
    exportPolicies: changeRecords((record) => [{ ...record, name: record.name.slice(0, 200) }]),
  },
  'export.record.name.empty-replaced': {
    defect: 'an empty name becomes "unnamed"',
    requirements: ['export.record.name.value'],
    exportPolicies: changeRecords((record) => [{ ...record, name: record.name || 'unnamed' }]),
  },
  'export.record.end_time.empty-without-duration': {
    defect: 'a run that ended when it started has no end_time',
    requirements: ['export.record.end_time.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, end_time: record.end_time === record.start_time ? null : record.end_time },
    ]),
  },
  'export.record.total_cost.rounded': {
    defect: 'costs are rounded to eight digits',
    requirements: ['export.record.total_cost.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, total_cost: record.total_cost === null ? null : Number(Number(record.total_cost).toFixed(8)) },
    ]),
  },
  'export.record.total_tokens.capped': {
    defect: 'numbers of tokens are at most a million',
    requirements: ['export.record.total_tokens.value'],
    exportPolicies: changeRecords((record) => [{ ...record, total_tokens: Math.min(record.total_tokens, 1_000_000) }]),
  },
  'export.record.total_tokens.rounded': {
    defect: 'numbers of tokens are 32-bit floating-point numbers',
    requirements: ['export.record.total_tokens.value'],
    exportPolicies: changeRecords((record) => [{ ...record, total_tokens: Math.fround(record.total_tokens) }]),
  },
  'export.record.total_tokens.added-up': {
    defect: 'total_tokens is the sum of the other two numbers of tokens',
    requirements: ['export.record.total_tokens.value'],
    exportPolicies: changeRecords((record) => [
      { ...record, total_tokens: record.prompt_tokens + record.completion_tokens },
    ]),
  },
  'export.service.same-start-once': {
    defect: 'of the runs with the same start_time, only the first one is exported',
    requirements: ['export.service.time-range'],
    exportPolicies: firstOnly(({ start_time }) => start_time),
  },
  'export.service.deep-lost': {
    defect: 'runs with more than two ancestors are not exported',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRecords((record) => (record.parent_run_ids.length > 2 ? [] : [record])),
  },
  'export.service.equal-once': {
    defect: 'of the runs with equal names, inputs and outputs, only the first one is exported',
    requirements: ['export.service.time-range'],
    exportPolicies: firstOnly(({ name, inputs, outputs }) => JSON.stringify([name, inputs, outputs])),
  },
  'export.service.sibling-once': {
    defect: 'of the runs with the same parent and the same start_time, only the first one is exported',
    requirements: ['export.service.time-range'],
    exportPolicies: firstOnly(({ id, parent_run_id, start_time }) => `${parent_run_id ?? id} ${start_time}`),
  },
  'export.service.thousand-rows': {
    defect: 'a file contains at most a thousand rows',
    requirements: ['export.service.time-range'],
    exportPolicies: keepRows(() => {
      let rows = 0
      return () => ++rows <= 1000
    }),
  },
  'export.service.start-to-minute': {
    defect: 'the start of the window of a one-off export is rounded down to the minute',
    requirements: ['export.service.nothing-outside'],
    exportPolicies: changeRange(({ startMs, endMs }, { start_time, source_bulk_export_id }) => ({
      startMs:
        source_bulk_export_id === null && startMs === start_time ? Math.floor(startMs / minute) * minute : startMs,
      endMs,
    })),
  },
  'export.service.start-to-midnight': {
    defect: 'the first date of each export is exported from midnight on',
    requirements: ['export.service.nothing-outside'],
    exportPolicies: changeRange(({ startMs, endMs }) => ({ startMs: Math.floor(startMs / day) * day, endMs })),
  },
  'export.service.seven-dates': {
    defect: 'an export contains only the first seven dates of its window',
    requirements: ['export.service.time-range'],
    exportPolicies: ({ recordsOf }) => ({
      recordsOf: async function* (traces, bulkExport, partition) {
        const date = Math.floor(partition.startMs / day) - Math.floor(bulkExport.start_time / day)
        if (date < 7) yield* recordsOf(traces, bulkExport, partition)
      },
    }),
  },
  'export.service.last-month': {
    defect: 'an export contains only the last 31 days of its window',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRange(({ startMs, endMs }, { end_time }) => ({
      startMs: Math.max(startMs, Number(end_time) - 31 * day),
      endMs,
    })),
  },
  'export.service.midnight-too-late': {
    defect: 'an export whose window ends at midnight includes the day after it',
    requirements: ['export.service.nothing-outside'],
    alsoFails: {
      'export.file.partition': 'the rows of the day after the window are in its last partition',
      'export.run.per-date': 'the day after the window has no export run',
    },
    exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
      startMs,
      endMs: isPlain(bulkExport) && endMs === bulkExport.end_time && endMs % day === 0 ? endMs + day : endMs,
    })),
  },
  'export.service.midnight-too-early': {
    defect: 'an export whose window ends at midnight omits its last day',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
      startMs,
      endMs: isPlain(bulkExport) && endMs === bulkExport.end_time && endMs % day === 0 ? startMs : endMs,
    })),
  },
  'export.file.date-of-root': {
    defect: 'a run is in the partition of the date on which the root of its trace started',
    requirements: ['export.file.partition'],
    alsoFails: { 'export.run.rows': 'a run contains rows of another date' },
    exportPolicies: ({ recordsOf }) => ({
      recordsOf: async function* (traces, bulkExport, partition) {
        const { startMs, endMs } = partition
        const isLast = endMs === bulkExport.end_time
        const isFirst = startMs === bulkExport.start_time
        const until = { ...partition, endMs: isLast ? endMs : endMs + 10 * minute }
        for await (const batch of recordsOf(traces, bulkExport, until))
          yield batch.filter((run) => (isFirst || rootStart(run) >= startMs) && (isLast || rootStart(run) < endMs))
      },
    }),
  },
  'export.filter.first-date-only': {
    defect: 'a filter applies only to the first date of an export',
    // Filters with `and` are blocked by those of which they consist.
    requirements: filterCases.map(({ requirement }) => requirement).filter((id) => !id.includes('.and')),
    alsoFails: { 'export.schedule.filter': 'a window may include midnight' },
    exportPolicies: ({ recordsOf, compileFilter }) => ({
      compileFilter: (text) => {
        compileFilter(text)
        return () => true
      },
      recordsOf: async function* (traces, bulkExport, partition) {
        const { filter, start_time } = bulkExport
        const isFirst = Math.floor(partition.startMs / day) === Math.floor(start_time / day)
        const passes = filter !== null && isFirst ? compileFilter(filter) : () => true
        for await (const batch of recordsOf(traces, bulkExport, partition)) yield batch.filter(passes)
      },
    }),
  },
})
