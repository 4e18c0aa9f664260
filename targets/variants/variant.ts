import { seededRandom } from '../../mock-server/runtime/random.ts'
import type { Area, Profile } from '../../suites/catalog/requirement.ts'
import type { Behavior, Choice } from './choice.ts'

/** A choice and its value. */
export interface Setting {
  readonly choice: string
  readonly value: string
}

/** A conforming server. Plain data, so that a worker can post it. */
export interface Variant {
  readonly seed: string
  /** The profile of its endpoint in each area; undefined: the area is not tested. */
  readonly profiles: Readonly<Partial<Record<Area, Profile>>>
  /** The choices in which it differs from the mock server. */
  readonly settings: readonly Setting[]
}

const profiles = { deployment: ['open', 'custom-auth'], export: ['hosted', 'self-hosted'] } as const

/** Draws a value for each choice. A new choice does not change what a seed draws for the others. */
export function drawVariant(seed: string, choices: readonly Choice[]): Variant {
  const draw = <T>(name: string, items: readonly T[]): T => {
    return items[Math.floor(seededRandom(`${seed} ${name}`)() * items.length)] as T
  }
  return {
    seed,
    profiles: { deployment: draw('deployment', profiles.deployment), export: draw('export', profiles.export) },
    settings: choices.flatMap(({ id, values }) => {
      const value = draw(id, [undefined, ...Object.keys(values)])
      return value === undefined ? [] : [{ choice: id, value }]
    }),
  }
}

/** Returns a variant for each value of each choice, which differs in nothing else, and for each profile. */
export function singleVariants(choices: readonly Choice[]): readonly Variant[] {
  return choices.flatMap(({ id, area, values }) =>
    Object.keys(values).flatMap((value) =>
      [0, 1].map((index): Variant => {
        const own = {
          ...(area !== 'export' && { deployment: profiles.deployment[index] as Profile }),
          ...(area !== 'deployment' && { export: profiles.export[index] as Profile }),
        }
        return { seed: `${id}=${value}`, profiles: own, settings: [{ choice: id, value }] }
      }),
    ),
  )
}

/** Returns how a server of a variant behaves in an area, in the order of the choices. */
export function behaviorsOf({ settings }: Variant, area: Area, choices: readonly Choice[]): readonly Behavior[] {
  return choices
    .filter((choice) => choice.area === undefined || choice.area === area)
    .flatMap(({ id, values }) => {
      const setting = settings.find(({ choice }) => choice === id)
      const behavior = setting && values[setting.value]
      if (behavior === undefined) return []
      return [typeof behavior === 'function' ? behavior() : behavior]
    })
}

/** Renders a setting, for example `run.list.order=oldest-first`. */
export function renderSetting({ choice, value }: Setting): string {
  return `${choice}=${value}`
}
