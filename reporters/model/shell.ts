/** Literal text, or a variable of the script. */
export type Part = { text: string } | { variable: string }

/** Replaces each occurrence of a text in a part with a variable. */
export function split(part: Part, text: string | RegExp, variable: string): Part[] {
  if ('variable' in part) return [part]
  const pieces = part.text.split(text).map((piece): Part => ({ text: piece }))
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [{ variable }, piece]))
}

/** Quotes a text as one word of a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Quotes a text as one word of a POSIX shell, unless it needs no quotes. */
export function argument(text: string): string {
  return /^[\w/?&=.,:%~@+*-]+$/.test(text) ? text : quote(text)
}

/** Quotes parts as one word of a POSIX shell. Only variables are expanded. */
export function word(parts: readonly Part[]): string {
  const isPlain = parts.every((part) => 'variable' in part || /^[\w/?&=.,:%~@+-]*$/.test(part.text))
  if (isPlain) return `"${parts.map((part) => ('variable' in part ? `\${${part.variable}}` : part.text)).join('')}"`
  return parts
    .filter((part) => 'variable' in part || part.text !== '')
    .map((part) => ('variable' in part ? `"$${part.variable}"` : quote(part.text)))
    .join('')
}

/**
 * The name of an environment variable for a secret or a URL.
 *
 * @example environmentName('open', 'url') // 'TOUCHSTONE_OPEN_URL'
 */
export function environmentName(...parts: readonly string[]): string {
  return ['touchstone', ...parts]
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
}
