/**
 * Compares two versions by their numbers. A version with a suffix, such as `2.0.0-rc.1` or `2.0.0rc1`, comes before the
 * one without; no version comes first.
 *
 * @example compareVersions('1.9.0', '1.10.0') < 0 // true
 */
export function compareVersions(a = '', b = ''): number {
  const [x, y] = [split(a), split(b)]
  const length = Math.max(x.numbers.length, y.numbers.length)
  for (let index = 0; index < length; index += 1) {
    const difference = (x.numbers[index] ?? 0) - (y.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (x.suffix === '' || y.suffix === '') return Number(x.suffix === '') - Number(y.suffix === '')
  return x.suffix.localeCompare(y.suffix, 'en', { numeric: true })
}

function split(version: string): { numbers: number[]; suffix: string } {
  const [whole = '', core = ''] = version.match(/^v?(\d+(?:\.\d+)*)/) ?? []
  return { numbers: core.split('.').map(Number), suffix: version.slice(whole.length).replace(/\+.*/, '') }
}
