/** Parts of the key of an exported file. */
export interface FileKeyParts {
  /** Prefix of the destination without slashes at its ends; empty for the root of the bucket. */
  readonly prefix: string
  readonly exportId: string
  readonly tenantId: string
  readonly sessionId: string
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
  /** Name of the file with its extension. */
  readonly file: string
}

/**
 * Returns the key of a file in its bucket. Section of the specification: Exported file layout. Month and day have no
 * leading zeros, as on the public server.
 */
export function fileKey({ prefix, exportId, tenantId, sessionId, year, month, day, file }: FileKeyParts): string {
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
