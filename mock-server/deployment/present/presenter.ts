import type { JsonObject } from '../../http/fields.ts'
import type { Dialect } from '../dialect.ts'

/** A record as an answer shows it. */
export type Presenter<Record> = (record: Record, dialect: Dialect) => JsonObject
