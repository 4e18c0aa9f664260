/** A test that takes too long for CI: prints its measurements and returns whether it passed. */
export type LongTest = (print: (line: string) => void) => Promise<boolean>
