import type { Fault } from './fault.ts'
import { checkFault } from './schema.ts'

/** The request header that names faults. */
export const FAULT_HEADER = 'x-touchstone-fault'

/** The setting that can follow a type: `status=503`. */
const MAIN: Readonly<Record<Fault['type'], string>> = {
  latency: 'ms',
  status: 'status',
  'rate-limit': 'retryAfter',
  reset: 'after',
  'malformed-json': 'event',
  'broken-utf8': 'event',
  'split-utf8': 'event',
  cut: 'after',
  stall: 'after',
  duplicate: 'event',
}

/**
 * Parses the faults of a header: a type with its main setting, followed by further settings as in the object.
 *
 * Throws a TypeError for an invalid fault.
 *
 * @example
 * parseFaults('latency=200, status=503; first=2; route=POST /threads')
 */
export function parseFaults(header: string): Fault[] {
  return header.split(',').map((text) => {
    const [head = '', ...settings] = text.split(';').map((part) => part.trim())
    const [type, main] = pair(head)
    if (main !== undefined && !Object.hasOwn(MAIN, type)) return checkFault({ type })
    const others = settings.map((setting): [string, unknown] => {
      const [name, value] = pair(setting)
      if (name === '') {
        throw new TypeError(
          `expected a setting such as nth=2 after each semicolon, received ${JSON.stringify(text.trim())}`,
        )
      }
      return [name, value === undefined ? true : typed(name, value)]
    })
    const first = main === undefined ? [] : [[MAIN[type as Fault['type']], typed('', main)]]
    return checkFault({ type, ...Object.fromEntries([...first, ...others]) })
  })
}

function pair(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=')
  return at < 0 ? [text, undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

function typed(name: string, value: string): unknown {
  if (name === 'route' || name === 'seed' || name === 'body') return value
  if (value === 'true' || value === 'false') return value === 'true'
  return value === '' || Number.isNaN(Number(value)) ? value : Number(value)
}
