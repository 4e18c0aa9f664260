import { arch, availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { suiteVersion } from '../suites/runner/package-root.ts'

/** Processor, cores, memory, system and versions in one line. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() || 'unknown processor'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const system = `${type()} ${release()} ${arch()}`
  return [
    `${model}, ${availableParallelism()} cores, ${memory}`,
    system,
    `Node ${process.versions.node}`,
    `touchstone ${suiteVersion}`,
  ].join('; ')
}
