import { InvalidArgumentError, Option } from 'commander'
import type { Level } from '../reporters/model/report.ts'
import { collect } from './target-options.ts'

const levels = ['MUST', 'SHOULD', 'MAY', 'UNSPECIFIED'] as const

/** The option `--area`. */
export function areaOption(): Option {
  return new Option('--area <name>', 'only this area (repeatable)').argParser(collect)
}

/** The option `--level`, in upper or lower case. */
export function levelOption(): Option {
  return new Option('--level <level>', 'only this level (repeatable)')
    .choices(levels)
    .argParser((value: string, previous: Level[] = []) => [...previous, parseLevel(value)])
}

function parseLevel(text: string): Level {
  const level = levels.find((name) => name === text.toUpperCase())
  if (level) return level
  throw new InvalidArgumentError('expected MUST, SHOULD, MAY or UNSPECIFIED.')
}
