import type { EndpointLog, Exchange } from '../../../suites/model/exchange.ts'
import type { Operation } from '../../../suites/model/operations.ts'
import { parquetFile, type Source } from './calls.ts'
import { idOf } from './conditions.ts'
import { eventMutations } from './events.ts'
import { fieldMutations } from './fields.ts'
import { fileBodies } from './files.ts'
import { collectPaths, type JsonPath, read, showPath, slotsAt } from './json-paths.ts'
import type { Mutation } from './mutation.ts'
import { replyMutations } from './replies.ts'
import { isUnspecified } from './unspecified.ts'

/** What files, the responses of one operation, or events of one name in its streams contain. */
interface Shape<From = Source> {
  readonly operation: From
  readonly event?: string
  readonly bodies: readonly unknown[]
}

/** Derives mutations from everything that the accepted requests and the files of a trace show. */
export function enumerateMutations(logs: readonly EndpointLog[]): readonly Mutation[] {
  const exchanges = logs.flatMap((log) => log.exchanges).filter(({ accepted, intent }) => accepted && intent === 'documented')
  const operations = [...new Set(exchanges.flatMap(({ operation }) => operation ?? []))]
  const shapes = operations.flatMap((operation) =>
    shapesOf(
      operation,
      exchanges.filter((exchange) => exchange.operation === operation),
    ),
  )
  const files: Shape = { operation: parquetFile, bodies: logs.flatMap((log) => fileBodies(log.observations)) }
  return [
    ...[...shapes, files].flatMap(mutationsOf),
    ...operations.flatMap(replyMutations),
    ...shapes.flatMap(({ operation, event }) =>
      event === undefined || isUnspecified(idOf(operation, event, '')) ? [] : eventMutations(operation, event)),
  ].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function shapesOf(operation: Operation, exchanges: readonly Exchange[]): readonly Shape<Operation>[] {
  const bodies = exchanges.map(({ json }) => json).filter((json) => json !== undefined)
  const events = exchanges.flatMap((exchange) => exchange.events)
  const byName = Map.groupBy(events, ({ event }) => event)
  return [
    ...(bodies.length === 0 ? [] : [{ operation, bodies }]),
    ...[...byName].map(([event, same]) => ({ operation, event, bodies: same.map(({ data }) => JSON.parse(data)) })),
  ]
}

function mutationsOf({ operation, event, bodies }: Shape): readonly Mutation[] {
  const paths = new Map<string, JsonPath>()
  for (const body of bodies) collectPaths(body, paths, [], event)
  return [...paths.values()].flatMap((path) => {
    if (isUnspecified(idOf(operation, event ?? '', showPath(path)))) return []
    // The body itself is a field of this object.
    const values = bodies.flatMap((body) => slotsAt({ body }, ['body', ...path]).map(read))
    return fieldMutations({
      operation,
      ...(event === undefined ? {} : { event }),
      path,
      isStructure: values.every((value) => typeof value === 'object'),
      isArray: values.some(Array.isArray),
    })
  })
}
