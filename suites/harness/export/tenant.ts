import type { ExportContext } from './export-context.ts'

/** The workspace that the usual caller selects. */
export function tenantOf({ session }: Pick<ExportContext, 'session'>): string {
  return session.endpoint.headers?.['x-tenant-id'] ?? ''
}
