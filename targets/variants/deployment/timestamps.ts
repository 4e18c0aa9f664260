import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { objects } from '../../wrappers/responses.ts'
import { type Behavior, type Choice, choicesOf } from '../choice.ts'

const minute = 60_000

/** The form of timestamps. */
export const timestampChoices: readonly Choice[] = choicesOf('deployment', {
  'deployment.timestamps': {
    description: 'The form of `created_at` and `updated_at`.',
    legal: 'Resources: ISO 8601 with offset, in any of its extended forms (ruling 17); the precision is not shown',
    values: {
      zulu: timestamps((ms) => new Date(ms).toISOString()),
      seconds: timestamps((ms) => `${at(ms, 0).slice(0, 19)}Z`),
      minutes: timestamps((ms) => `${at(ms, 0).slice(0, 16)}+00:00`),
      'east-of-utc': timestamps((ms) => `${at(ms, 330).slice(0, 23)}+05:30`),
      'west-of-utc': timestamps((ms) => `${at(ms, -480).slice(0, 19)}-08:00`),
      'hours-only': timestamps((ms) => `${at(ms, 300)}+05`),
      'offset-without-colon': timestamps((ms) => `${at(ms, 300)}+0500`),
      comma: timestamps((ms) => `${at(ms, 0).replace('.', ',')}Z`),
      nanoseconds: timestamps((ms) => `${at(ms, 0)}123456Z`),
      'rounded-when-read': timestamps(
        (ms) => `${at(ms, 0)}600Z`,
        (ms) => `${at(ms + 1, 0)}Z`,
      ),
      'minutes-when-created': timestamps(
        (ms) => `${at(ms, 0).slice(0, 16)}Z`,
        (ms) => `${at(ms, 0)}Z`,
      ),
      'seconds-of-updates': timestamps(
        (ms) => `${at(ms, 0)}600Z`,
        (ms) => `${at(ms, 0)}600Z`,
        (ms) => `${at(ms, 0).slice(0, 19)}Z`,
      ),
      'hundredths-of-updates': timestamps(
        (ms) => `${at(ms, 0)}Z`,
        (ms) => `${at(ms, 0)}Z`,
        (ms) => `${at(ms, 0).slice(0, 22)}Z`,
      ),
      'tenths-when-read': timestamps(
        (ms) => `${at(ms, 0)}600Z`,
        (ms) => `${at(ms, 0).slice(0, 21)}Z`,
      ),
      'seconds-when-read': timestamps(
        (ms) => `${at(ms, 0)}600Z`,
        (ms) => `${at(ms, 0).slice(0, 19)}Z`,
      ),
    },
  },
})

/** Renders a time in milliseconds since the Unix epoch. */
type Form = (ms: number) => string

/** Returns the time of a clock so many minutes ahead of UTC, to the millisecond and without offset. */
function at(ms: number, ahead: number): string {
  return new Date(ms + ahead * minute).toISOString().slice(0, 23)
}

/** Renders timestamps, in responses to GET and in `updated_at` perhaps in another form. */
function timestamps(render: Form, renderRead = render, renderUpdate?: Form): Behavior {
  return {
    wrap: (fetch) => {
      const [write, read] = [render, renderRead].map((form) => rendered(form, renderUpdate)(fetch)) as [Fetch, Fetch]
      return (request) => (request.method === 'GET' ? read(request) : write(request))
    },
  }
}

function rendered(render: Form, renderUpdate = render): Wrap {
  const shown = ([key, value]: [string, unknown]): [string, unknown] => {
    const isTime = (key === 'created_at' || key === 'updated_at') && typeof value === 'string'
    return [key, isTime ? (key === 'updated_at' ? renderUpdate : render)(Date.parse(value)) : value]
  }
  return objects((object) => Object.fromEntries(Object.entries(object).map(shown)))
}
