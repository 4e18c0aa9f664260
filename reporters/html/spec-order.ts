/** The headings of the specification in order, with the operations of its tables. */
export const headings: readonly string[] = [
  'What the service does',
  'Resources and their fields',
  'Resources and their fields / Thread',
  'Resources and their fields / Run',
  'Resources and their fields / Run / kwargs',
  'Resources and their fields / Assistant',
  'Resources and their fields / Thread state',
  'Resources and their fields / Message',
  'Resources and their fields / Export destination',
  'Resources and their fields / Bulk export',
  'Resources and their fields / Export run',
  'Resources and their fields / Exported run record',
  'Resources and their fields / Exported file layout',
  'States and transitions',
  'States and transitions / Run status',
  'States and transitions / Thread status',
  'States and transitions / Export status',
  'Endpoints',
  'Endpoints / A. Deployment API',
  'Endpoints / A. Deployment API / POST /threads',
  'Endpoints / A. Deployment API / GET /threads',
  'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs',
  'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs',
  'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}',
  'Endpoints / A. Deployment API / GET /threads/{thread_id}/runs/{run_id}/join',
  'Endpoints / A. Deployment API / GET /threads/{thread_id}/state',
  'Endpoints / A. Deployment API / POST /threads/{thread_id}/runs/stream',
  'Endpoints / A. Deployment API / POST /assistants',
  'Endpoints / A. Deployment API / POST /assistants/search',
  'Endpoints / A. Deployment API / GET /assistants/{assistant_id}',
  'Endpoints / B. Bulk export API',
  'Endpoints / B. Bulk export API / POST /api/v1/bulk-exports/destinations',
  'Endpoints / B. Bulk export API / POST /api/v1/bulk-exports',
  'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}',
  'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}/runs',
  'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports',
  'Endpoints / B. Bulk export API / PATCH /api/v1/bulk-exports/{export_id}',
  'Endpoints / B. Bulk export API / Rules',
  'Authentication',
  'Authentication / Bulk export API',
  'Authentication / Deployment API',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
]

/**
 * Groups requirements by section, in the order of the specification. A section that is not a heading follows its closest
 * parent heading; without one, it comes last.
 */
export function inSpecOrder<T extends { section: string }>(
  requirements: readonly T[],
): [section: string, requirements: T[]][] {
  const sections = [...Map.groupBy(requirements, ({ section }) => section)]
  return sections.sort(([a], [b]) => rank(a) - rank(b))
}

function rank(section: string): number {
  const path = section.split(' / ')
  for (let length = path.length; length > 0; length -= 1) {
    const index = headings.indexOf(path.slice(0, length).join(' / '))
    if (index !== -1) return index + (length < path.length ? 0.5 : 0)
  }
  return headings.length
}
