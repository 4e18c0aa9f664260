import type { JsonObject, Nullish } from '../../http/fields.ts'

/** Only these fields of an answer; all of them where none is named. A name that the answer does not have is passed over. */
export function select(shown: JsonObject, fields: Nullish<readonly string[]>): JsonObject {
  if (fields == null) return shown
  return Object.fromEntries(Object.entries(shown).filter(([field]) => fields.includes(field)))
}
