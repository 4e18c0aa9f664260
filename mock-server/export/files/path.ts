/** Where one file of an export stands in its bucket. */
export interface FilePlace {
  /** The destination's prefix without slashes at its ends; empty for the root of the bucket. */
  readonly prefix: string
  readonly exportId: string
  readonly tenantId: string
  readonly sessionId: string
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
  /** The file's own name, with its ending. */
  readonly file: string
}

/**
 * The key of a file inside its bucket: the path under "Exported file layout" without the bucket. Month and day are
 * not padded, as the public server writes them.
 */
export function fileKey({ prefix, exportId, tenantId, sessionId, year, month, day, file }: FilePlace): string {
  return [
    ...(prefix === '' ? [] : [prefix]),
    `export_id=${exportId}`,
    `tenant_id=${tenantId}`,
    `session_id=${sessionId}`,
    'runs',
    `year=${year}`,
    `month=${month}`,
    `day=${day}`,
    file,
  ].join('/')
}
