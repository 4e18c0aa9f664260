import { pathSegments } from '../../catalog/export/files.ts'

/** Ids that are shorter may stand in a key by chance. */
const longEnough = 16

/** Whether a key is that of a file of an export: it tells its id, a short one in the documented segment. UUIDs are the same in any case. */
export function namesExport(key: string, id: string): boolean {
  const [text, word] = [key.toLowerCase(), id.toLowerCase()]
  return text.split('/').includes(`export_id=${word}`) || (word.length >= longEnough && text.includes(word))
}

/** A segment of the documented path. */
type PathSegment = (typeof pathSegments)[number]

/** The path of a file, segment by segment; a segment that is not in its place is undefined. */
export interface FilePath {
  /** Whether the path begins with the prefix. */
  readonly underPrefix: boolean
  readonly values: Readonly<Partial<Record<PathSegment, string>>>
  readonly file: string
}

/**
 * Takes a key apart. Segments are found by their name, wherever they stand; one that stands before another which the
 * document puts before it is not in its place.
 */
export function parsePath(key: string, place: { readonly bucket: string; readonly prefix: string }): FilePath {
  const own = key.startsWith(`${place.bucket}/`) ? key.slice(place.bucket.length + 1) : key
  const underPrefix = own.startsWith(`${place.prefix}/`)
  const parts = (underPrefix ? own.slice(place.prefix.length + 1) : own).split('/')
  const values: Partial<Record<PathSegment, string>> = {}
  let from = 0
  for (const segment of pathSegments) {
    const index = parts.findIndex((part, position) => position >= from && isSegment(part, segment))
    if (index < 0) continue
    from = index + 1
    values[segment] = segment === 'runs' ? 'runs' : (parts[index] ?? '').slice(segment.length + 1)
  }
  return { underPrefix, values, file: parts.at(-1) ?? '' }
}

function isSegment(part: string, segment: PathSegment): boolean {
  return segment === 'runs' ? part === 'runs' : part.startsWith(`${segment}=`)
}
