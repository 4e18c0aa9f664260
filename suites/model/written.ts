import { select } from './endpoint.ts'
import type { ExportModel } from './export.ts'
import { exported, runsAfter, type Written } from './exported.ts'
import { schedules } from './schedules.ts'

/** Yields the unchanged exports that succeeded: one-off ones that had to, and those that schedules of the trace spawned. */
export function* written(model: ExportModel): Iterable<Written> {
  yield* select(model, exported)
  for (const { creation, spawned } of select(model, schedules)) {
    for (const { id, changes, end, hasSucceeded, files, ...found } of spawned) {
      if (creation === undefined || end === undefined || !hasSucceeded || files === undefined || changes.length > 0)
        continue
      const rows = files.flatMap(({ content }) => content?.rows ?? [])
      const runs = runsAfter(model, id, end.exchange.endedAt)
      yield { ...found, exchange: end.exchange, setup: [creation], id, creation, files, rows, isPlain: false, runs }
    }
  }
}
