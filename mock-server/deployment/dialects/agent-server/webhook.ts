import { z } from 'zod'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/
// Names that never resolve. RFC 6761.
const RESERVED = /(^|\.)(localhost|invalid|test|example)$/

/** A path of this server, or a URL that another machine could reach. */
export const reachableUrl: z.ZodType<string> = z.string().refine((text) => text.startsWith('/') || isReachable(text), {
  error: 'expected the URL of a host that can be resolved and is not this machine',
})

function isReachable(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hostname } = new URL(text)
  return !LOOPBACK.test(hostname) && !RESERVED.test(hostname)
}
