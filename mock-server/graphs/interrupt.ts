/** Thrown inside a node that waits for an answer; the node begins anew once there is one. */
export class NodeInterrupt extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('This node waits for an answer; let what it threw pass')
    this.name = 'NodeInterrupt'
    this.value = value
  }
}

/** Hands out the answers that a node has been given so far, in the order of its questions. */
export function interruptions(answers: readonly unknown[]): (value: unknown) => unknown {
  let asked = 0
  return (value) => {
    if (asked === answers.length) throw new NodeInterrupt(value)
    return answers[asked++]
  }
}
