import type { Journal } from './journal.ts'

/** The journal of a server that keeps none: who asks is told how to switch it on. */
export function journalOff(): Journal {
  const fail = (): never => {
    throw new Error('The journal is off; create the server with journal: true')
  }
  return {
    isOn: false,
    calls: fail,
    waitFor: async () => fail(),
    har: fail,
    get dropped() {
      return fail()
    },
    clear: fail,
    // Where nothing is shown, nothing has to be concealed.
    conceal: () => undefined,
  }
}
