/** Path of the bulk export API. */
export const exportsPath = '/api/v1/bulk-exports'

/** Path of destinations. */
export const destinationsPath = `${exportsPath}/destinations`

/** Returns the request that cancels an export. */
export function cancellation(id: string) {
  return { method: 'PATCH', path: `${exportsPath}/${id}`, body: { status: 'Cancelled' } } as const
}
