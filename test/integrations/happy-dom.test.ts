// @vitest-environment happy-dom
import { setupServer } from 'msw/node'
import { getGlobalDispatcher, setGlobalDispatcher, fetch as undiciFetch } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { handlers } from '../../mock-server/adapters/msw.ts'
import { dispatcher } from '../../mock-server/adapters/undici.ts'
import { type GatedMock, gatedMock } from '../fixtures/gated-mock.ts'
import { leave, talk, watch } from '../fixtures/integration-clients.ts'

const url = 'http://agent.test'

/** Sends the requests of a page to a mock by msw. The page has another origin, so that the browser asks first. */
function useMsw({ mock }: GatedMock): void {
  const server = setupServer(...handlers(mock, { url }))
  server.listen()
  onTestFinished(() => server.close())
}

/** Sends the requests of a page to a mock by undici, with the one setting that this needs: undici's own `fetch`. */
function useUndici({ mock }: GatedMock): void {
  const before = getGlobalDispatcher()
  setGlobalDispatcher(dispatcher(mock, { url }))
  vi.stubGlobal('fetch', undiciFetch)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    setGlobalDispatcher(before)
  })
}

const integrations: [string, (gated: GatedMock) => void][] = [
  ['msw', useMsw],
  ['undici', useUndici],
]

test.each(integrations)('%s serves the public SDK in happy-dom', async (_, use) => {
  use(gatedMock())
  expect(await talk(url)).toEqual(['hello', 'first: hello', 'second: hello'])
})

test.each(integrations)('%s delivers a stream event by event in happy-dom', async (_, use) => {
  const gated = gatedMock()
  use(gated)
  expect(await watch(url, gated, fetch)).toEqual([['before'], ['before', 'wait', 'after']])
})

test.each(integrations)('%s stops a run when the client disconnects in happy-dom', async (_, use) => {
  const gated = gatedMock()
  use(gated)
  await leave(url, gated)
})
