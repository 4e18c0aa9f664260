import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { testHostile } from '../../targets/variants/hostile.ts'
import type { LongTest } from './long-test.ts'

const run = fileURLToPath(new URL('../../targets/variants/run.ts', import.meta.url))

/** Tests a thousand variants: every one is accepted. */
export const manyVariants: LongTest = async () => {
  const child = spawn(process.execPath, [run, '--seeds', '1000', '--quiet'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'close')
  return code === 0
}

/** Tests the mock server in a hostile environment, in every profile: no requirement fails. */
export const hostileEnvironment: LongTest = async (print) => {
  let rejected = 0
  for (const profiles of [
    { deployment: 'open', export: 'hosted' },
    { deployment: 'custom-auth', export: 'self-hosted' },
  ] as const) {
    const { rejections, decidable, inconclusive } = await testHostile(profiles)
    for (const { profile, requirement, verdict, message } of rejections)
      print(`${profile} ${requirement} ${verdict}: ${message}`)
    for (const [requirement, reason] of Object.entries(inconclusive)) print(`inconclusive: ${requirement}: ${reason}`)
    rejected += rejections.length
    const undecided = Object.keys(inconclusive).length
    print(
      `${Object.values(profiles).join(', ')}: ${decidable.length} requirements, ${rejections.length} rejected, ${undecided} inconclusive`,
    )
  }
  return rejected === 0
}
