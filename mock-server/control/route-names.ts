import { deploymentRoutes } from '../deployment/routes/index.ts'
import { exportEndpoints } from '../export/endpoints.ts'

/** A segment of a path. */
interface Segment {
  readonly text: string
  /** The name of the parameter that this segment is a value of, such as `thread_id`; undefined for a fixed word. */
  readonly parameter: string | undefined
}

const PATHS: readonly (readonly string[])[] = [
  ...[...deploymentRoutes, ...Object.values(exportEndpoints)].map(({ path }) => path),
  // The server does not offer crons, but it records requests to them.
  '/runs/crons/{cron_id}',
].map(split)

/** The names of parameters by the word before them. */
const PARAMETERS: ReadonlyMap<string, string> = new Map(
  PATHS.flatMap((segments) =>
    segments.flatMap((segment, index): [string, string][] => {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
      return name === undefined ? [] : [[segments[index - 1] ?? '', name]]
    }),
  ),
)

/** The fixed words in places where other paths have a parameter. */
const WORDS: ReadonlySet<string> = new Set(
  PATHS.flatMap((segments) =>
    segments.filter((segment, index) => PARAMETERS.has(segments[index - 1] ?? '') && !segment.startsWith('{')),
  ),
)

/** Returns the segments of a path, and the parameters that they are values of. */
export function segmentsOf(path: string): readonly Segment[] {
  let before = ''
  return split(path).map((text) => {
    const parameter = WORDS.has(text) ? undefined : PARAMETERS.get(before)
    // The segment after a parameter is a word, even if it is spelled like a collection.
    before = parameter === undefined ? text : ''
    return { text, parameter }
  })
}

/** Returns a path as the API's description has it: `/threads/{thread_id}/runs`. */
export function pathName(path: string): string {
  return nameParameters(segmentsOf(path), () => true)
}

/** Joins segments; those that are values of a parameter, and that `isValue` accepts, become its name. */
export function nameParameters(segments: readonly Segment[], isValue: (segment: Segment) => boolean): string {
  const names = segments.map((segment) =>
    segment.parameter !== undefined && isValue(segment) ? `{${segment.parameter}}` : segment.text,
  )
  return `/${names.join('/')}`
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
