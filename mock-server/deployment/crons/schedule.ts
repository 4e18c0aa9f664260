/** A cron schedule: the values of each field at which it is due. */
interface Schedule {
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** Whether a day must match both the days of the month and of the week, because one of them has all. */
  readonly needsBothDays: boolean
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const ALIASES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** Reads a schedule: minute, hour, day of month, month, day of week and, optionally, second. Undefined if it is invalid. */
export function readSchedule(text: string): Schedule | undefined {
  const fields = (ALIASES[text.trim()] ?? text).trim().split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) return undefined
  const [minute = '', hour = '', day = '', month = '', weekday = '', second = '0'] = fields
  const minutes = readField(minute, 0, 59)
  const hours = readField(hour, 0, 23)
  const days = readField(day, 1, 31)
  const months = readField(month, 1, 12, MONTHS)
  const weekdays = readField(weekday, 0, 7, WEEKDAYS)
  const seconds = readField(second, 0, 59)
  if (!(minutes && hours && days && months && weekdays && seconds)) return undefined
  return {
    seconds,
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    // Sunday is 0 and 7.
    weekdays: new Set(weekdays.map((number) => number % 7)),
    needsBothDays: day.startsWith('*') || weekday.startsWith('*'),
  }
}

/** Returns the values of a field in order, such as `1,5-9,20-40/10`. Undefined if it is invalid. */
function readField(text: string, least: number, most: number, names: readonly string[] = []): number[] | undefined {
  const values = new Set<number>()
  const numberOf = (word: string): number => {
    const named = names.indexOf(word.toUpperCase())
    if (named >= 0) return named + least
    return /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN
  }
  for (const part of text.split(',')) {
    const [range = '', step = '1', ...rest] = part.split('/')
    const [from = '', to] = range.split('-')
    const start = range === '*' ? least : numberOf(from)
    const end = range === '*' || (to === undefined && part.includes('/')) ? most : numberOf(to ?? from)
    const isValid = rest.length === 0 && /^[1-9]\d?$/.test(step) && start >= least && end <= most && start <= end
    if (!isValid) return undefined
    for (let value = start; value <= end; value += Number(step)) values.add(value)
  }
  return [...values].toSorted((a, b) => a - b)
}

const DAY_MS = 86_400_000
// Some years have no 29 February.
const MOST_DAYS = 366 * 9

/** Returns the first time after `after` at which the schedule is due in a time zone; undefined if there is none. */
export function nextTime(schedule: Schedule, timezone: string, after: number): number | undefined {
  const wall = after + offsetAt(timezone, after)
  const firstDay = Math.floor(wall / DAY_MS) * DAY_MS
  for (let count = 0; count < MOST_DAYS; count++) {
    const day = firstDay + count * DAY_MS
    if (!hasDay(schedule, new Date(day))) continue
    for (const hour of schedule.hours) {
      for (const minute of schedule.minutes) {
        for (const second of schedule.seconds) {
          const local = day + ((hour * 60 + minute) * 60 + second) * 1000
          const time = local - offsetAt(timezone, local - offsetAt(timezone, local))
          if (time > after) return time
        }
      }
    }
  }
  return undefined
}

function hasDay({ days, months, weekdays, needsBothDays }: Schedule, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false
  const ofMonth = days.has(date.getUTCDate())
  const ofWeek = weekdays.has(date.getUTCDay())
  return needsBothDays ? ofMonth && ofWeek : ofMonth || ofWeek
}

/** Returns the milliseconds by which the clocks of a time zone are ahead of UTC. */
function offsetAt(timezone: string, time: number): number {
  if (timezone === 'UTC') return 0
  const options = { timeZone: timezone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' } as const
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(time)
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((found) => found.type === type)?.value)
  const year = 2000 + (part('year') % 100)
  const wall = Date.UTC(year, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wall - Math.floor(time / 1000) * 1000
}

/** Whether this is the name of a time zone. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
