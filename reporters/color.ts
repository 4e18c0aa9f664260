import pc from 'picocolors'

/** Paints a text; without color it gives the text back. */
export type Paint = Record<'red' | 'green' | 'yellow' | 'magenta' | 'bold' | 'dim', (text: string) => string>

/** Colors that are real only where `enabled`. */
export function paint(enabled: boolean): Paint {
  return pc.createColors(enabled)
}

/** Whether a stream should get colors: it is a terminal and `NO_COLOR` is not set. */
export function wantsColor(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean {
  return stream.isTTY === true && !env['NO_COLOR']
}
