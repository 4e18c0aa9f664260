import pc from 'picocolors'

/** Functions that color a text, or return it unchanged when colors are off. */
export type Colors = Record<'red' | 'green' | 'yellow' | 'magenta' | 'bold' | 'dim', (text: string) => string>

export function createColors(enabled: boolean): Colors {
  return pc.createColors(enabled)
}

/** Whether to write colors to a stream: it is a terminal and `NO_COLOR` is not set. */
export function wantsColor(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean {
  return stream.isTTY === true && !env['NO_COLOR']
}
