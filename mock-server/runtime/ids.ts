import { v4, v5, v6, v7 } from 'uuid'
import type { Clock } from './clock.ts'
import type { Random } from './random.ts'

/** Creates ids. */
export interface IdFactory {
  /** UUIDv7, greater than all earlier thread and run ids. */
  thread(): string
  /** UUIDv7, greater than all earlier thread and run ids. */
  run(): string
  /** UUIDv4. */
  assistant(): string
  /** UUIDv6, greater than all earlier checkpoint ids. */
  checkpoint(): string
  /** UUIDv4. */
  message(): string
  /** UUIDv4. */
  task(): string
}

// LangGraph servers derive the id of a default assistant from the name of its graph in this namespace.
const ASSISTANT_NAMESPACE = '6ba7b821-9dad-11d1-80b4-00c04fd430c8'
const TICKS_PER_MS = 10_000

/** Returns the id of a graph's default assistant, which is the same on every server. */
export function defaultAssistantId(graphId: string): string {
  return v5(graphId, ASSISTANT_NAMESPACE)
}

/** Creates an id factory. The same clock and random numbers give the same ids. */
export function createIds(clock: Clock, random: Random): IdFactory {
  const bytes = new Uint8Array(16)
  const words = new DataView(bytes.buffer)
  const randomBytes = (): Uint8Array => {
    for (let offset = 0; offset < 16; offset += 4) words.setUint32(offset, random() * 2 ** 32)
    return bytes
  }

  const unordered = (): string => v4({ random: randomBytes() })
  const ordered = orderedIds(clock, random, randomBytes)
  return {
    thread: ordered,
    run: ordered,
    assistant: unordered,
    checkpoint: checkpointIds(clock, randomBytes),
    message: unordered,
    task: unordered,
  }
}

function orderedIds(clock: Clock, random: Random, randomBytes: () => Uint8Array): () => string {
  let msecs = Number.NEGATIVE_INFINITY
  let seq = 0
  return () => {
    const now = clock.now()
    if (now > msecs) {
      msecs = now
      seq = Math.floor(random() * 2 ** 31)
    } else {
      // The counter has 32 bits. After an overflow, ids use the next millisecond.
      seq = (seq + 1) >>> 0
      if (seq === 0) msecs += 1
    }
    return v7({ random: randomBytes(), msecs, seq })
  }
}

function checkpointIds(clock: Clock, randomBytes: () => Uint8Array): () => string {
  // Random numbers are taken only for the first checkpoint id. Without checkpoints, they do not change the other ids.
  let seed: { random: Uint8Array; node: Uint8Array; clockseq: number } | undefined
  let msecs = Number.NEGATIVE_INFINITY
  let nsecs = 0
  return () => {
    const now = clock.now()
    if (now > msecs) {
      msecs = now
      nsecs = 0
    } else if (++nsecs === TICKS_PER_MS) {
      msecs += 1
      nsecs = 0
    }
    seed ??= seedOf(randomBytes().slice())
    return v6({ ...seed, msecs, nsecs })
  }
}

function seedOf(random: Uint8Array): { random: Uint8Array; node: Uint8Array; clockseq: number } {
  const node = random.slice(10, 16)
  // The multicast bit marks a random node id.
  node[0] = (node[0] ?? 0) | 1
  return { random, node, clockseq: (((random[8] ?? 0) << 8) | (random[9] ?? 0)) & 0x3fff }
}
