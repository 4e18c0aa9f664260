import { startThemeButton } from '../../../../pages/browser/theme.ts'
import { createApi, Refused } from './api.ts'
import { assistantsView } from './assistants.ts'
import { createCallLog } from './call-log.ts'
import { clockView, createServerClock } from './clock.ts'
import { exportsView } from './exports.ts'
import { faultsView } from './faults.ts'
import { type Connection, followJournal } from './follow.ts'
import { instant } from './format.ts'
import { startLogin } from './login.ts'
import { requestsView } from './requests.ts'
import { startRouter } from './router.ts'
import { scriptsView } from './scripts.ts'
import { startSessionChoice } from './sessions.ts'
import { threadsView } from './threads.ts'

const REFRESH_MS = 1000
const labels = { live: 'Live', connecting: 'Connecting…' }

const api = createApi()
const log = createCallLog()
const clock = createServerClock(api)
const connection = document.querySelector('#connection')
const now = document.querySelector('#now')

const faults = faultsView(api, log, (number) => router.setCount('faults', number))
const views = [
  requestsView(api, log, clock.now),
  threadsView(api),
  assistantsView(api),
  exportsView(api),
  clockView(api, clock),
  faults,
  scriptsView(api),
] as const
const router = startRouter(document, [...views], () => void refresh())

let following: Connection = 'connecting'
let problem = ''

function showConnection(): void {
  if (connection === null) return
  const text = problem || (typeof following === 'object' ? following.problem : labels[following])
  connection.className = problem !== '' || typeof following === 'object' ? 'problem' : following
  if (connection.textContent !== text) connection.textContent = text
}
const follower = followJournal(api, log, (state) => {
  following = state
  showConnection()
})
const sessions = startSessionChoice(document, api, () => {
  follower.restart()
  void refresh()
})
startLogin(document, api, () => {
  follower.restart()
  void refresh()
})

/** Reads again what is visible. Problems of the connection are shown next to its state. */
async function refresh(): Promise<void> {
  try {
    await Promise.all([sessions.refresh(), clock.refresh(), faults.refresh()])
    if (router.current !== faults) await router.current.refresh()
    problem = ''
  } catch (error) {
    // The follower shows that there is no connection, and the dialog that the token is missing.
    if (error instanceof Refused) problem = [0, 401].includes(error.status) ? '' : error.message
  }
  showConnection()
}

log.onChange(() => router.setCount('requests', log.calls.length))
let isRefreshing = false
setInterval(async () => {
  if (isRefreshing || document.visibilityState !== 'visible' || document.querySelector('dialog[open]')) return
  isRefreshing = true
  await refresh()
  isRefreshing = false
}, REFRESH_MS)
setInterval(() => {
  if (now !== null) now.textContent = instant(clock.now())
}, 250)
startThemeButton(document)
follower.restart()
