/** Path of the bulk export API. */
export const exportsPath = '/api/v1/bulk-exports'

/** Path of destinations. */
export const destinationsPath = `${exportsPath}/destinations`
