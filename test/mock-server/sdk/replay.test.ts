import { test } from 'vitest'
import { expectSameOutcome, recordedCalls } from '../../fixtures/replayed-call.ts'
import { startMockServer } from '../../fixtures/start-mock-server.ts'
import { nameOf } from './table.ts'

test.each(recordedCalls.map((call) => [nameOf(call), call] as const))(
  '%s is replayed as recorded',
  async (_name, call) => {
    await expectSameOutcome(call, await startMockServer())
  },
)
