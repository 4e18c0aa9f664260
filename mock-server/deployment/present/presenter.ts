import type { JsonObject } from '../../http/fields.ts'
import type { Dialect } from '../dialect.ts'

/** Serializes a record for a response. */
export type Presenter<Record> = (record: Record, dialect: Dialect) => JsonObject
