/** A request that the control plane refused. Its message is the sentence of the control plane. */
export class Refused extends Error {
  /** 0 for a request without a response. */
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.name = 'Refused'
    this.status = status
  }
}

/** Calls the control plane of the session that is shown. */
export interface Api {
  /** The name of the session; empty for the default one. */
  session: string
  /** The control token; empty without one. It is stored for this tab, if the browser allows it. */
  token: string
  /** Called when the control plane requires another token. */
  onUnauthorized: () => void
  get<T>(path: string): Promise<T>
  /** Like `get`, but not for a session. */
  getShared<T>(path: string): Promise<T>
  /** Sends a JSON text. */
  send<T>(method: string, path: string, text?: string): Promise<T>
  /** Opens a response that is read while it arrives. */
  open(path: string, signal: AbortSignal): Promise<Response>
}

const KEY = 'touchstone-token'

/** Creates the calls of a page whose path is that of the control plane. Requests reject with Refused. */
export function createApi(): Api {
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (api.token !== '') headers.set('authorization', `Bearer ${api.token}`)
    const response = await send(path, { ...init, headers, cache: 'no-store' })
    if (response.ok) return response
    if (response.status === 401) api.onUnauthorized()
    throw new Refused(response.status, await detailOf(response))
  }
  const inSession = (path: string): string =>
    api.session === '' ? path : `sessions/${encodeURIComponent(api.session)}/${path}`

  let token = storedToken()
  const api: Api = {
    session: '',
    get token() {
      return token
    },
    set token(value) {
      token = value
      storeToken(value)
    },
    onUnauthorized: () => undefined,
    get: async (path) => (await request(inSession(path))).json(),
    getShared: async (path) => (await request(path)).json(),
    send: async (method, path, text) => {
      const body = text === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } }
      return (await request(inSession(path), { method, ...body })).json()
    },
    open: (path, signal) => request(inSession(path), { signal }),
  }
  return api
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Refused(0, 'Expected a response of the server, received none. Check whether it runs.')
  }
}

async function detailOf(response: Response): Promise<string> {
  try {
    const { detail }: { detail?: unknown } = await response.json()
    if (typeof detail === 'string') return detail
  } catch {
    // Not a response of the control plane.
  }
  return `Expected a response of the control plane, received status ${response.status}. Reload the page.`
}

function storedToken(): string {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function storeToken(token: string): void {
  try {
    sessionStorage.setItem(KEY, token)
  } catch {
    // Without storage, the token ends with this visit.
  }
}
