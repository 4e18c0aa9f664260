/** A text, or a variable of the script in its place. */
export type Part = { text: string } | { variable: string }

/** Puts a variable in the place of a text, wherever it stands in a part. */
export function split(part: Part, text: string | RegExp, variable: string): Part[] {
  if ('variable' in part) return [part]
  const pieces = part.text.split(text).map((piece): Part => ({ text: piece }))
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [{ variable }, piece]))
}

/** A text as one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Parts as one word of a shell; nothing in a text is taken for shell syntax. */
export function word(parts: readonly Part[]): string {
  const plain = parts.every((part) => 'variable' in part || /^[\w/?&=.,:%~@+-]*$/.test(part.text))
  if (plain) return `"${parts.map((part) => ('variable' in part ? `\${${part.variable}}` : part.text)).join('')}"`
  return parts
    .filter((part) => 'variable' in part || part.text !== '')
    .map((part) => ('variable' in part ? `"$${part.variable}"` : quote(part.text)))
    .join('')
}

/** The name of an environment variable that stands for a secret or an address. */
export function environmentName(...parts: readonly string[]): string {
  return ['touchstone', ...parts]
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
}
