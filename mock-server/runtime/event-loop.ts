/** Turns of the event loop. When `next()` resolves, all pending promise reactions have run. */
export interface Turns {
  next(): Promise<void>
  /** Closes the channel, so that the process can exit. */
  end(): void
}

/** Uses a message channel: every platform has it, fake timers do not replace it, and it takes microseconds. */
export function turns(): Turns {
  let channel: InstanceType<typeof MessageChannel> | undefined
  return {
    next: () =>
      new Promise((resolve) => {
        channel ??= new MessageChannel()
        channel.port1.addEventListener('message', () => resolve(), { once: true })
        channel.port1.start()
        channel.port2.postMessage(undefined)
      }),
    end: () => channel?.port1.close(),
  }
}
