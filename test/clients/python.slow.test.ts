import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { whyNotInstalled } from '../../targets/third-party/install.ts'
import { langgraphPy } from '../../targets/third-party/servers.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

// The public Python server is installed with the Python clients.
const missing = await whyNotInstalled(langgraphPy)
const python = join(langgraphPy.installFolder, 'bin/python')
const folder = join(import.meta.dirname, 'python')

test.skipIf(missing !== undefined && process.env['CI'] !== 'true').each(['spec', 'agent-server', 'js-dev'] as const)(
  'the Python clients work with the dialect %s',
  async (dialect) => {
    expect(missing).toBeUndefined()
    const url = await startMockServer({ dialect, faultsByHeader: true })
    const child = spawn(python, ['-m', 'unittest', 'discover', '--start-directory', folder], {
      env: { ...process.env, TOUCHSTONE_URL: url, TOUCHSTONE_DIALECT: dialect, PYTHONDONTWRITEBYTECODE: '1' },
    })
    const [report, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    expect({ code, report }).toMatchObject({ code: 0, report: expect.stringContaining('OK') })
  },
)
