import type { RequirementResult } from '../model/report.ts'

/** The headings of the interface document from top to bottom, with the operations of its tables. */
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
 * Rows by the section that they come from, in the order of the document; rows of one section keep theirs. A section
 * that is no heading follows the heading that it lies under, or comes last.
 */
export function inDocumentOrder(rows: readonly RequirementResult[]): [section: string, rows: RequirementResult[]][] {
  const sections = [...Map.groupBy(rows, ({ section }) => section)]
  return sections.sort(([one], [other]) => rank(one) - rank(other))
}

function rank(section: string): number {
  const parts = section.split(' / ')
  for (let length = parts.length; length > 0; length -= 1) {
    const at = headings.indexOf(parts.slice(0, length).join(' / '))
    if (at !== -1) return at + (length < parts.length ? 0.5 : 0)
  }
  return headings.length
}
