/** Where the bulk export API begins. */
export const base = '/api/v1/bulk-exports'
