import { create } from '../../../../pages/browser/create.ts'
import type { Fault } from '../../faults/fault.ts'
import { field } from './form.ts'

/** A setting of a fault. */
interface Setting {
  readonly label: string
  readonly hint?: string
  readonly isText?: boolean
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  ms: { label: 'Milliseconds' },
  status: { label: 'Status' },
  body: { label: 'Body', hint: 'text or JSON', isText: true },
  retryAfter: { label: 'Retry-After', hint: 'seconds' },
  after: { label: 'After events' },
  event: { label: 'Event', hint: 'counted from 1' },
}

/** The types of faults with their effect and their settings. */
const TYPES: Readonly<Record<Fault['type'], readonly [effect: string, settings: readonly string[]]>> = {
  latency: ['delays the request', ['ms']],
  status: ['responds with a status', ['status', 'body', 'carriedOut']],
  'rate-limit': ['responds with 429', ['retryAfter', 'carriedOut']],
  reset: ['resets the connection', ['after', 'carriedOut']],
  cut: ['ends a stream early', ['after']],
  stall: ['stops sending', ['after', 'ms']],
  duplicate: ['sends an event twice', ['event']],
  'malformed-json': ['sends half of the JSON', ['event']],
  'broken-utf8': ['sends half of a character', ['event']],
  'split-utf8': ['splits a character', ['event']],
}

/** The fields of a new fault. */
export interface FaultFields {
  readonly type: HTMLSelectElement
  readonly route: HTMLInputElement
  readonly content: readonly Node[]
  /** Returns the names of the settings of the selected type. */
  settings(): readonly string[]
}

/** Creates the fields of a new fault; only those of its type are visible. */
export function createFaultFields(): FaultFields {
  const type = create(
    'select',
    { name: 'type' },
    ...Object.entries(TYPES).map(([value, [effect]]) => create('option', { value }, `${value}: ${effect}`)),
  )
  type.value = 'status'
  const route = create('input', { name: 'route', placeholder: 'POST /threads', spellcheck: false, autocomplete: 'off' })
  const fields = new Map(
    Object.entries(SETTINGS).map(([name, { label, hint, isText }]) => {
      const control = create('input', { name, autocomplete: 'off', inputMode: isText ? 'text' : 'numeric' })
      return [name, field(label, control, hint)]
    }),
  )
  const carriedOut = create(
    'label',
    { className: 'check' },
    create('input', { type: 'checkbox', name: 'carriedOut' }),
    ' The server executes the request; only the response is lost',
  )
  fields.set('carriedOut', carriedOut)
  const calls = create(
    'select',
    { name: 'calls' },
    ...Object.entries({
      'every call': '',
      'only this one': 'nth',
      'this many first calls': 'first',
      'from this one on': 'from',
    }).map(([label, value]) => create('option', { value }, label)),
  )
  const number = create('input', { name: 'nth', inputMode: 'numeric', value: '1' })
  const numberField = field('Number', number)
  const settings = (): readonly string[] => TYPES[type.value as Fault['type']][1]
  const update = (): void => {
    for (const [name, element] of fields) element.hidden = !settings().includes(name)
    numberField.hidden = calls.value === ''
    // Errors name the field.
    number.name = calls.value
  }
  type.addEventListener('change', update)
  calls.addEventListener('change', update)
  update()
  const content = [
    field('Type', type),
    field('Route', route, 'empty for every route'),
    ...fields.values(),
    field('Calls', calls),
    numberField,
    field('Probability', create('input', { name: 'probability', inputMode: 'decimal', placeholder: '1' }), '0 to 1'),
  ]
  return { type, route, content, settings }
}
