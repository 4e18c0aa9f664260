/** Where the bulk export API begins. */
export const exportsPath = '/api/v1/bulk-exports'
