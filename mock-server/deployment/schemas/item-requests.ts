import { z } from 'zod'
import { jsonObject, pageLimit, pageOffset } from '../../http/fields.ts'

// Requests of the store, which the specification does not mention.

const label = z
  .string()
  .min(1)
  .regex(/^[^.]*$/, { error: 'expected a label without periods' })
const labels = z.array(label)

export const namespace = labels.min(1, { error: 'expected at least one label' })

/** Body of `PUT /store/items`. */
export const itemPut = z.object({
  namespace,
  key: z.string().min(1),
  value: jsonObject,
  // There is no semantic search, so nothing is indexed.
  index: z.union([z.literal(false), z.array(z.string())]).nullish(),
  // Minutes until the item is gone.
  ttl: z.number().positive().nullish(),
})

/** Query of `GET /store/items`. */
export const itemGet = z.object({
  namespace: z
    .string()
    .transform((text) => text.split('.'))
    .pipe(labels.min(1))
    .meta({ override: { type: 'string' } }),
  key: z.string().min(1),
  refresh_ttl: z
    .enum(['true', 'false'])
    .optional()
    .transform((text) => text !== 'false')
    .meta({ override: { type: 'string', enum: ['true', 'false'] } }),
})

/** Body of `DELETE /store/items`. */
export const itemDelete = z.object({ namespace, key: z.string().min(1) })

const OPERATORS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte'] as const
export type Operator = (typeof OPERATORS)[number]

const condition = z.unknown().refine(
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return true
    return Object.keys(value).every((key) => !key.startsWith('$') || OPERATORS.some((known) => known === key))
  },
  { error: `expected a value, or an object with ${OPERATORS.join(', ')}` },
)

/** Body of `POST /store/items/search`. */
export const itemSearch = z.object({
  namespace_prefix: labels,
  filter: z.record(z.string(), condition).nullish(),
  limit: pageLimit,
  offset: pageOffset,
  // Without an index, the public servers return all items, too.
  query: z.string().nullish(),
  refresh_ttl: z.boolean().nullish(),
})
export type ItemSearch = z.output<typeof itemSearch>

const DEFAULT_NAMESPACES = 100

/** Body of `POST /store/namespaces`. A label `*` matches any label. */
export const namespaceList = z.object({
  prefix: labels.nullish(),
  suffix: labels.nullish(),
  max_depth: z.int().min(1).nullish(),
  limit: z.int().min(1).max(1000).default(DEFAULT_NAMESPACES),
  offset: pageOffset,
})
export type NamespaceList = z.output<typeof namespaceList>
