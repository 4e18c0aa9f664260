import { InvalidArgumentError, Option } from 'commander'
import type { Level } from '../reporters/model/report.ts'
import { collect } from './target-options.ts'

const levels = ['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED'] as const

/** The option that takes the requirements of an area. */
export function areaOption(): Option {
  return new Option('--area <name>', 'only this area (repeatable)').argParser(collect)
}

/** The option that takes the requirements of a level, in any case. */
export function levelOption(): Option {
  return new Option('--level <level>', 'only this level (repeatable)')
    .choices(levels)
    .argParser((value: string, previous: Level[] = []) => [...previous, level(value)])
}

function level(text: string): Level {
  const known = levels.find((one) => one === text.toUpperCase())
  if (known) return known
  throw new InvalidArgumentError('expected MUST, SHOULD, MAY or UNSPECIFIED.')
}
