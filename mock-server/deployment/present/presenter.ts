import type { Dialect } from '../dialect.ts'
import type { JsonObject } from '../schemas/fields.ts'

/** A record as an answer shows it. */
export type Presenter<Record> = (record: Record, dialect: Dialect) => JsonObject
