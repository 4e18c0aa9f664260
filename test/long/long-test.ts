/** A test that takes too long for the gate: prints what it sees, and says whether all was as it should be. */
export type LongTest = (print: (line: string) => void) => Promise<boolean>
