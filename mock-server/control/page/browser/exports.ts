import { create } from '../../../../pages/browser/create.ts'
import type { ExportDetail, ExportRunDetail } from '../../inspect/exports.ts'
import type { Api } from './api.ts'
import { count, date, instant } from './format.ts'
import { keyed } from './keep.ts'
import { refreshed } from './refreshed.ts'
import type { View } from './view.ts'

/** The exports with their runs and files. */
export function exportsView(api: Api): View {
  const list = create('ul', { className: 'cards' })
  const show = refreshed<readonly ExportDetail[]>(list, (exports) =>
    exports.length === 0 ? [emptyExports()] : exports.map(card),
  )
  return {
    name: 'exports',
    title: 'Exports',
    element: create('section', { className: 'plain', ariaLabel: 'Exports' }, list),
    show: () => undefined,
    refresh: async () => show((await api.get<{ exports: readonly ExportDetail[] }>('exports')).exports),
  }
}

function emptyExports(): HTMLElement {
  return create(
    'li',
    { className: 'empty' },
    create('h2', {}, 'No exports yet'),
    create('p', {}, 'An export appears here when a client creates one with POST /api/v1/bulk-exports.'),
  )
}

function card(details: ExportDetail): HTMLElement {
  const { id, status, start_time, end_time, interval_hours, filter, compression, destination, runs } = details
  const rows = runs.reduce((sum, run) => sum + run.rows_written, 0)
  const window = end_time === null ? `from ${instant(start_time)}` : `${instant(start_time)} to ${instant(end_time)}`
  const facts = [
    window,
    ...(interval_hours === null ? [] : [`every ${count(interval_hours, 'hour')}`]),
    compression,
    ...(filter === null ? [] : [filter]),
    ...(details.source_bulk_export_id === null ? [] : [`spawned by ${details.source_bulk_export_id}`]),
  ]
  const target = destination && `s3://${[destination.bucket, destination.prefix].filter(Boolean).join('/')}`
  return create(
    'li',
    { className: 'card' },
    create('h2', {}, create('code', {}, id), ' ', create('span', { className: `v ${status}` }, status)),
    create('p', {}, facts.join(' · ')),
    create('p', { className: 'dim' }, `${destination?.name ?? 'unknown destination'} · ${target ?? ''}`),
    keyed(
      create(
        'details',
        { open: runs.length <= 3 },
        create('summary', {}, `${count(runs.length, 'export run')}, ${count(rows, 'row')}`),
        create('ul', { className: 'runs' }, ...runs.map(runItem)),
      ),
      id,
    ),
  )
}

function runItem({ status, start_time, rows_written, files, errors }: ExportRunDetail): HTMLElement {
  return create(
    'li',
    {},
    create(
      'p',
      {},
      create('b', {}, date(start_time)),
      ' ',
      create('span', { className: `v ${status}` }, status),
      ` ${count(rows_written, 'row')}`,
    ),
    ...files.map((file) => create('p', {}, create('code', {}, file))),
    ...Object.entries(errors ?? {}).map(([attempt, error]) =>
      create('p', { className: 'error' }, `${attempt}: ${error}`),
    ),
  )
}
