import { html } from 'hono/html'
import type { Schema, Schemas } from './description.ts'

export type Markup = ReturnType<typeof html>

/** A field of an object or a parameter of a request, as a row of a table. */
export interface Field {
  /** For example `config.tags`, or `messages[].content` for the objects of an array. */
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
}

/** Returns the fields of an object, each followed by those of the objects inside it. Named schemas have their own table. */
export function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return alternatives(schema).flatMap(({ items, properties = {}, required = [] }) => [
    ...(items ? fieldsOf(items, `${prefix}[]`) : []),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const path = prefix === '' ? name : `${prefix}.${name}`
      return [{ name: path, schema: field, required: required.includes(name) }, ...fieldsOf(field, path)]
    }),
  ])
}

/** Renders the type of a value, such as `string (uuid) | null`, with links to the named schemas. */
export function typeOf(schema: Schema): Markup {
  const types = alternatives(schema).map(simpleType)
  return html`${types.map((type, index) => html`${index > 0 && ' | '}${type}`)}`
}

function simpleType({ $ref, enum: values, items, type, format, ...schema }: Schema): Markup {
  if ($ref !== undefined) return html`<a href="#${schemaId(nameOf($ref))}">${nameOf($ref)}</a>`
  if ('const' in schema) return html`${JSON.stringify(schema.const)}`
  if (values !== undefined) return html`${values.map((value) => JSON.stringify(value)).join(' | ')}`
  if (items) return html`array of ${alternatives(items).length > 1 ? html`(${typeOf(items)})` : typeOf(items)}`
  return html`${type ?? 'any value'}${format !== undefined && ` (${format})`}`
}

/** Returns what the type does not say about a value: its description, default and limits. */
export function rulesOf(schema: Schema): string {
  const limits = alternatives(schema).flatMap((each) => [
    ...range(each.minimum, each.maximum, ''),
    ...(each.exclusiveMinimum === undefined ? [] : [`more than ${each.exclusiveMinimum}`]),
    ...range(each.minLength, each.maxLength, ' characters'),
    ...range(each.minItems, each.maxItems, ' items'),
    ...(each.pattern === undefined || each.format !== undefined ? [] : [`matches ${each.pattern}`]),
  ])
  const rules = [schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`, ...limits]
  return [schema.description ?? '', rules.filter((rule) => rule !== '').join(', ')]
    .filter((text) => text !== '')
    .join('. ')
}

function range(least = -Infinity, most = Infinity, unit: string): string[] {
  const min = least > Number.MIN_SAFE_INTEGER ? least : undefined
  const max = most < Number.MAX_SAFE_INTEGER ? most : undefined
  if (min === undefined) return max === undefined ? [] : [`at most ${max}${unit}`]
  return [max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`]
}

/** Returns a value that matches a schema, with every known field. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const [first = {}] = alternatives(schema)
  const { $ref, enum: values, items, prefixItems, properties = {}, type, format } = first
  if ($ref !== undefined) return exampleOf(schemas[nameOf($ref)] ?? {}, schemas)
  if ('const' in first) return first.const
  if (values !== undefined) return values[0]
  if (type === 'object') {
    return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field, schemas)]))
  }
  if (type === 'array') return (prefixItems ?? (items ? [items] : [])).map((item) => exampleOf(item, schemas))
  if (type === 'integer' || type === 'number') return Math.max(1, first.minimum ?? 1)
  if (type === 'boolean') return true
  return type === 'string' ? (STRINGS[format ?? ''] ?? 'string') : null
}

const STRINGS: Readonly<Record<string, string>> = {
  uuid: '0199d3c0-6f1e-7a40-8c55-0242ac120002',
  'date-time': '2026-01-01T00:00:00Z',
}

/** Returns the schemas that a value may match, none of which has alternatives. */
function alternatives(schema: Schema): Schema[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(alternatives)
  return typeof schema.type === 'object' ? schema.type.map((type) => ({ ...schema, type })) : [schema]
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Returns the anchor of a named schema. */
export function schemaId(name: string): string {
  return `schema-${name}`
}
