/** Thrown by `interrupt`. The node runs again when the run is resumed. */
export class NodeInterrupt extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('This node waits for an answer; let what it threw pass')
    this.name = 'NodeInterrupt'
    this.value = value
  }
}

/** Creates `interrupt` of a node: it returns the values of earlier resumptions in order, then interrupts the node. */
export function interruptions(answers: readonly unknown[]): (value: unknown) => unknown {
  let asked = 0
  return (value) => {
    if (asked === answers.length) throw new NodeInterrupt(value)
    return answers[asked++]
  }
}
