import { z } from 'zod'

/** An object without other keys; what is wrong with one that has some names those that it may have. */
export function closed<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined
      const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ')
      return `unknown key ${unknown}; expected none but ${Object.keys(shape).join(', ')}`
    },
  })
}
