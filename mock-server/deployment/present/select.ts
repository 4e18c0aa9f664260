import type { JsonObject, Nullish } from '../../http/fields.ts'

/** Selects fields of a serialized record; all of them by default. Unknown names are ignored. */
export function select(shown: JsonObject, fields: Nullish<readonly string[]>): JsonObject {
  if (fields == null) return shown
  return Object.fromEntries(Object.entries(shown).filter(([field]) => fields.includes(field)))
}
