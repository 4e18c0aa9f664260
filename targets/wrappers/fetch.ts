/** The fetch function of a server. */
export type Fetch = (request: Request) => Promise<Response>

/** Wraps the fetch function of a server, to change its requests or responses. Called once for each server. */
export type Wrap = (fetch: Fetch) => Fetch
