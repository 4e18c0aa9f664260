import { exportFields, pathSegments } from '../../catalog/export/files.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { idsMatching } from '../../catalog/patterns.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { destinationOf, type ExportModel } from '../../model/export.ts'
import { type Exported, exported, listingAfter, namesOther, type Written } from '../../model/exported.ts'
import { written } from '../../model/schedules.ts'
import { booleanOf, isSameValue, showDifference } from '../../values/export/compare-values.ts'
import { areReadable, columnNames, type ExportedFile } from '../../values/export/exported-file.ts'
import { dateOf, partitionDate } from '../../values/export/file-path.ts'
import { runOf } from '../../values/export/known-run.ts'
import type { Row } from '../../values/export/parquet-content.ts'
import { reportsRows } from '../../values/export/record-fields.ts'
import { at, listAt, show } from '../../values/json.ts'
import {
  type Case,
  firstThree,
  type ItemOf,
  type Mismatch,
  mismatch,
  type Rule,
  rule,
  rules,
  verify,
  verifyAll,
  verifyIncludes,
  verifyNone,
} from '../rule.ts'

const columns = [...exportFields, 'tenant_id', 'is_root'] as const
/** Columns that files may have although `export_fields` does not name them. */
const tolerated = new Set(['tenant_id', 'is_root', 'export_id', 'session_id', 'year', 'month', 'day'])

/** Exports of all runs and columns that have rows. */
export function plain(model: ExportModel): readonly Exported[] {
  return select(model, exported).filter(({ isPlain, rows }) => isPlain && rows.length > 0)
}

/** Exports that have rows. */
function filled(model: ExportModel): readonly Written[] {
  return select(model, written).filter(({ rows }) => rows.length > 0)
}

/** One-off exports with `export_fields` that have files, with the names of the requested fields. */
export function* projected(model: ExportModel) {
  for (const each of select(model, exported)) {
    const requestedFields = requestedIn(each)
    if (requestedFields.length > 0 && each.files.length > 0) yield { ...each, requestedFields }
  }
}

function projections(model: ExportModel) {
  return Map.groupBy(select(model, projected), projectionOf)
}

/** Identifies the window and the fields that an export requests. */
function projectionOf({ exchange, requestedFields }: Pick<ItemOf<typeof projected>, 'exchange' | 'requestedFields'>) {
  const { request } = exchange
  return show([at(request, 'start_time'), at(request, 'end_time'), requestedFields.toSorted()], 100_000)
}

const requestedIn = ({ creation }: Written) => requestOf(creation).fields

/** Identifies a set of columns, without those that any file may have. */
const setOf = (names: readonly string[]) => show(names.filter((name) => !tolerated.has(name)).sort(), 5000)

const columnSets = ({ files }: Written) =>
  files.flatMap(({ content }) => (content ? [setOf(content.columns.map(({ name }) => name))] : []))

/** Exports with a file whose columns are the `export_fields` of another export, not their own ones. */
function* otherColumns(model: ExportModel) {
  const all = [...model.exports.values()].map(({ id, creation }) => ({ id, creation, ...requestOf(creation) }))
  const byColumns = Map.groupBy(
    all.filter(({ fields }) => fields.length > 0),
    ({ set }) => set,
  )
  // A service that exports few columns may always export those that one request names.
  const usual = new Set(unlimited(model).flatMap(columnSets))
  for (const each of select(model, written)) {
    const { fields, set: own } = requestOf(each.creation)
    if (fields.length === 0 && usual.size < 2) continue
    for (const set of columnSets(each)) {
      const other = set === own ? undefined : byColumns.get(set)?.find(({ id }) => id !== each.id)
      if (other !== undefined)
        yield { ...each, setup: [...each.setup, other.creation], own, isAll: fields.length === 0, set, other }
    }
  }
}

function requestOf({ request }: Exchange) {
  const fields = listAt(request, 'export_fields').map(String)
  return { fields, set: setOf(fields) }
}

/** Returns the requirement that fails because an export has the columns of another one. */
export function otherColumnsFailure({ requirement, subject }: Case, model: ExportModel): RequirementId | undefined {
  const affected = select(model, otherColumns)
  if (requirement === limited || affected.length === 0) return undefined
  if (comparing.has(requirement)) return limited
  const shown = [subject.exchange, ...(subject.setup ?? [])]
  const isAffected = affected.some(({ exchange, creation }) => shown.includes(exchange) || shown.includes(creation))
  return isAffected ? limited : undefined
}

const limited = 'export.fields.limit-columns'

/** Requirements that compare the files of several exports. */
const comparing = idsMatching(['export.fields.*', 'export.file.columns-equal'])

interface RowWithFile {
  readonly row: Row
  readonly file: ExportedFile
}

function rowsWithFiles({ files }: Written): readonly RowWithFile[] {
  return files.flatMap((file) => (file.content?.rows ?? []).map((row) => ({ row, file })))
}

/** The date and the name of a file. What precedes them is the same for all files of an export. */
const endOf = ({ key }: ExportedFile) => key.replace(/^.*\/(?=(?:[^/]+\/){3}[^/]+$)/, '…/')

type Segment = (typeof pathSegments)[number]

/** The value that a segment of a path must have; undefined for a date, which other rules compare with the rows. */
function expectedValue({ id, creation }: Written, segment: Segment): string | undefined {
  const values: Readonly<Record<string, unknown>> = {
    export_id: id,
    tenant_id: creation.requestHeaders['x-tenant-id'],
    session_id: at(creation.request, 'session_id'),
  }
  return segment in values ? String(values[segment]) : undefined
}

function isCorrect(each: Written, segment: Segment, value: string | undefined): boolean {
  if (value === undefined || segment === 'runs') return value !== undefined
  const expected = expectedValue(each, segment)
  return expected === undefined ? /^\d+$/.test(value) : value.toLowerCase() === expected.toLowerCase()
}

/** @example describeSegment(each, 'day') // 'day=<number> directly after month=' */
function describeSegment(each: Written, segment: Segment): string {
  const text = segment === 'runs' ? 'runs' : `${segment}=${expectedValue(each, segment) ?? '<number>'}`
  const before = pathSegments[pathSegments.indexOf(segment) - 1]
  if (before === undefined) return `${text} directly after the prefix`
  return `${text} directly after ${before === 'runs' ? before : `${before}=`}`
}

/** The dates (UTC) of rows with their numbers of rows; undefined if a row or a path has no date, or a file cannot be read. */
export function rowsByDate(each: Written): ReadonlyMap<number, number> | undefined {
  const dates = rowsWithFiles(each).map(({ row, file }) => dateOf(row, file.path, each.runOf(row)))
  if (dates.includes(undefined) || !areReadable(each.files)) return undefined
  return new Map([...Map.groupBy(dates as number[], (date) => date)].map(([date, same]) => [date, same.length]))
}

/** Rules about rows whose runs the driver added. */
export const valueRules: readonly Rule<ExportModel>[] = [
  ...exportFields.map((field) =>
    rule<ExportModel, Written>(`export.record.${field}.value`, {
      each: filled,
      when: ({ seeds, isPlain, files }) => seeds.length > 0 && (isPlain || columnNames(files).includes(field)),
      evaluate: (each) => {
        if (!columnNames(each.files).includes(field)) return `export.record.${field}.column`
        const wrong = rowsWithFiles(each).flatMap(({ row, file }) => {
          const run = each.runOf(row)
          if (run === undefined || isSameValue(field, row[field], run)) return []
          return [`${showDifference(field, row[field], run[field])} for run ${run.id} in ${endOf(file)}`]
        })
        return verifyNone(wrong, `rows whose \`${field}\` differs from their run`)
      },
    }),
  ),
  ...rules(written, {
    'export.record.is_root.value': (each) => {
      const known = rowsWithFiles(each).flatMap(({ row, file }) => {
        const parent = (each.seeds.length > 0 ? each.runOf(row) : runOf(row))?.parent_run_id
        // Without these columns, a root and a child with the same name and start cannot be told apart.
        const isNamed = 'id' in row || 'dotted_order' in row
        return parent === undefined || !isNamed ? [] : [{ row, isRoot: parent === null, file }]
      })
      const wrong = known
        .filter(({ row, isRoot }) => booleanOf(row['is_root']) !== isRoot)
        .map(
          ({ row, isRoot, file }) =>
            `${show(row['is_root'])} for run ${row['id'] ?? row['dotted_order']} ${isRoot ? 'without' : 'with'} a parent in ${endOf(file)}`,
        )
      return (
        columnNames(each.files).includes('is_root') &&
        known.length > 0 &&
        verifyNone(wrong, 'rows with the wrong `is_root`')
      )
    },
  }),
]

/** Exports without `export_fields` that have rows. */
function unlimited(model: ExportModel): readonly Written[] {
  return filled(model).filter((each) => requestedIn(each).length === 0)
}

const columnRules = rules(
  unlimited,
  Object.fromEntries(
    columns.map((name) => [
      `export.record.${name}.column`,
      ({ files }: Written) => {
        const names = columnNames(files)
        return verifyIncludes(names.includes(name), 'the columns', name, names)
      },
    ]),
  ),
)

/** Whether a key is encoded as in a URL, so that no segment of its path is as specified. */
const isEncoded = ({ key, path }: ExportedFile) => path.values.export_id === undefined && /export_id%3d/i.test(key)

/** Rules about the segments of the paths of files. */
export const pathRules = rules(
  written,
  Object.fromEntries(
    pathSegments.map((segment) => [
      `export.file.path.${segment}`,
      (each: Written) => {
        const wrong = each.files.find(({ path }) => !isCorrect(each, segment, path.values[segment]))
        if (wrong && isEncoded(wrong) && segment !== 'export_id') return 'export.file.path.export_id'
        const expected = describeSegment(each, segment)
        return (
          each.files.length > 0 && verifyIncludes(wrong === undefined, 'the path of each file', expected, wrong?.key)
        )
      },
    ]),
  ),
)

/** Files outside the prefix of their destination. */
const outside = ({ files, creation }: Written, model: ExportModel) => {
  const keys = files.filter(({ path }) => !path.underPrefix).map(({ key }) => key)
  const prefix = destinationOf(model, { creation })?.prefix
  return files.length > 0 && verifyNone(keys, `files outside the prefix ${prefix}/`)
}

/**
 * Returns the keys under the prefix of an export if all of them name other exports; empty otherwise: in a destination with
 * other exports, files whose path lacks the id of the export cannot be found.
 */
function keysOfOthers(model: ExportModel, { id, destination, endedAt }: Exported): readonly string[] {
  const objects = listingAfter(model, destination.bucket, endedAt)?.objects ?? []
  const keys = objects.map(({ key }) => key).filter((key) => key.includes(destination.prefix) && /\.parquet$/.test(key))
  return keys.every((key) => namesOther(model.exports, key, id)) ? keys : []
}

/** Returns a mismatch unless a list of files that are not Parquet files is empty. */
function verifyParquet([file, ...others]: readonly ExportedFile[]): Mismatch | undefined {
  if (file === undefined) return undefined
  const { start = '' } = file
  const beginning = start.startsWith('PAR1') ? '`PAR1` but has no valid footer' : `\`${start}\``
  const received = start === '' ? 'a file in another format' : `a file that starts with ${beginning}`
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return mismatch(file.key, 'a Parquet file', `${received}${more}`)
}

/** The rule that an export that reports rows writes files. */
export const bucketRules = rules(exported, {
  'export.service.own-bucket': (each, model) => {
    const { files, runs, isAlone } = each
    const ofOthers = files.length > 0 || isAlone ? [] : keysOfOthers(model, each)
    const wrote = runs.some(({ list }) => list.some(reportsRows))
    const received = ofOthers[0] === undefined ? 'none' : `only files of other exports, such as ${ofOthers[0]}`
    return (
      (files.length > 0 || (wrote && (isAlone || ofOthers.length > 0))) &&
      verify(files.length > 0, 'objects of the export in its bucket', 'at least one file', received)
    )
  },
})

/** Rules about the files of exports and their rows. */
export const fileRules: readonly Rule<ExportModel>[] = [
  ...columnRules,
  ...pathRules,
  ...bucketRules,
  ...rules(written, {
    'export.file.prefix': outside,
    'export.destination.prefix.confines': outside,
    'export.file.rows.once': (each) => {
      // Without these columns, rows of different runs may be equal.
      const idOf = ({ row }: RowWithFile) => row['id'] ?? row['dotted_order'] ?? (each.isPlain ? show(row) : undefined)
      const known = rowsWithFiles(each).filter((row) => idOf(row) !== undefined)
      const same = Map.groupBy(known, (row) => String(idOf(row)))
      const twice = [...same].filter(([, rows]) => rows.length > 1)
      return (
        each.rows.length > 0 &&
        verifyNone(
          twice.map(([id, rows]) => {
            const files = [...new Set(rows.map(({ file }) => endOf(file)))]
            return `${rows.length} rows for run ${id} in ${files.join(' and ')}`
          }),
          'runs that are exported more than once',
        )
      )
    },
    'export.file.parquet': ({ files }) =>
      files.length > 0 && verifyParquet(files.filter(({ content }) => content === undefined)),
  }),
  ...rules(filled, {
    'export.file.partition': (each) => {
      const isDated = each.files.every(({ path }) => partitionDate(path) !== undefined)
      if (!isDated || rowsByDate(each) === undefined) return false
      const wrong = rowsWithFiles(each).filter(
        ({ row, file }) => dateOf(row, file.path, each.runOf(row)) !== partitionDate(file.path),
      )
      return verifyNone(
        wrong.map(({ row, file }) => `${show(row['start_time'] ?? each.runOf(row)?.start_time)} in ${endOf(file)}`),
        'rows in the partition of another date',
      )
    },
    'export.file.columns-equal': ({ files }) => {
      const read = files.filter(({ content }) => content !== undefined)
      const has = (file: ExportedFile, name: string) => columnNames([file]).includes(name)
      const differing = columnNames(read).flatMap((name) => {
        const [having, lacking] = [read.find((file) => has(file, name)), read.find((file) => !has(file, name))]
        return having && lacking ? [`${show(name)} in ${endOf(having)}, but not in ${endOf(lacking)}`] : []
      })
      return verify(differing.length === 0, 'the columns of all files', 'the same', firstThree(differing))
    },
    'export.file.types-equal': ({ files }) => {
      const types = Map.groupBy(
        files.flatMap(({ content }) => content?.columns ?? []),
        ({ name }) => name,
      )
      return verifyNone(
        [...types].filter(([, same]) => new Set(same.map(({ type }) => type)).size > 1),
        'columns of several types',
      )
    },
    'export.record.tenant_id.value': (each) => {
      const expected = each.creation.requestHeaders['x-tenant-id']?.toLowerCase()
      const isExpected = (value: unknown) => typeof value === 'string' && value.toLowerCase() === expected
      // Whether runs of another workspace are exported is a requirement of its own.
      const isOwn = (row: Row) => (each.seeds.length > 0 ? each.runOf(row) !== undefined : !each.hasOthers())
      const own = rowsWithFiles(each).filter(({ row }) => isOwn(row) && 'tenant_id' in row)
      const wrong = own.filter(({ row }) => !isExpected(row['tenant_id']))
      const [first] = wrong
      const received =
        first &&
        `${show(first.row['tenant_id'])} in ${wrong.length} of ${own.length} rows, such as run ${first.row['id']} in ${endOf(first.file)}`
      return own.length > 0 && verify(first === undefined, '`tenant_id` of exported runs', show(expected), received)
    },
  }),
]

/** Rules about exports with `export_fields`. */
export const projectionRules: readonly Rule<ExportModel>[] = [
  ...rules(written, {
    'export.fields.complete': (each) => {
      const requestedFields = requestedIn(each)
      const lacks = ({ content }: ExportedFile) =>
        content ? requestedFields.filter((name) => !content.columns.some((column) => column.name === name)) : []
      const lost = [...new Set(each.files.flatMap(lacks))]
      return (
        requestedFields.length > 0 &&
        columnNames(each.files).length > 0 &&
        verifyAll(lost, 'each file', 'all requested columns')
      )
    },
  }),
  ...rules(otherColumns, {
    [limited]: ({ id, isAll, own, set, other }) => {
      const name = `the columns of a file of export ${id} ${isAll ? 'without' : 'with'} \`export_fields\``
      return mismatch(name, isAll ? 'all' : own, `${set}, the \`export_fields\` of export ${other.id}`)
    },
  }),
  ...rules(projected, {
    [limited]: ({ files, requestedFields }) =>
      verifyNone(
        columnNames(files)
          .filter((name) => !requestedFields.includes(name) && !tolerated.has(name))
          .map((name) => show(name)),
        `columns other than the requested ones, ${requestedFields.join(', ')}`,
      ),
    'export.fields.smaller': ({ files, requestedFields, exchange }, model) => {
      const wanted = projectionOf({ exchange, requestedFields: [...requestedFields, 'inputs', 'outputs'] })
      const whole = derive(model, projections).get(wanted)?.[0]
      const bytes = (some: readonly ExportedFile[]) => some.reduce((sum, { size }) => sum + size, 0)
      if (whole === undefined) return false
      const [few, all] = [bytes(files), bytes(whole.files)]
      return verify(few < all, 'bytes of the files without inputs and outputs', `fewer than ${all}`, few)
    },
  }),
]
