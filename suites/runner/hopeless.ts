import { connect } from 'node:tls'

/** A certificate that the system does not trust, by the codes of OpenSSL and Node. */
const untrusted = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Longest wait for a TLS handshake, in milliseconds. */
const handshakeMs = 2000

/** What is wrong with a URL whose server fails like this however long it is waited for; undefined where waiting may help. */
export async function hopeless(url: string, error: unknown): Promise<string | undefined> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const other = (protocol: string) => url.replace(/^\w+:/, `${protocol}:`)
  if (url.startsWith('https:') && (code === 'EPROTO' || code.startsWith('ERR_SSL_'))) {
    return `does not speak TLS there: if it is meant to be plain HTTP, give ${other('http')}`
  }
  // A server of TLS closes a connection on which plain HTTP comes, as one that has just crashed does.
  if (url.startsWith('http:') && /^(?:HPE_|UND_ERR_SOCKET$|ECONNRESET$)/.test(code) && (await speaksTls(url))) {
    return `does not speak plain HTTP there: if it is meant to be TLS, give ${other('https')}`
  }
  if (untrusted.has(code)) {
    return `has a certificate that is not trusted (${code}): name the file of its authority in NODE_EXTRA_CA_CERTS, or give the URL with the name that the certificate is for`
  }
  return undefined
}

function speaksTls(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const host = hostname.replace(/^\[|\]$/g, '')
  // Nothing is sent: whose certificate it is does not matter.
  const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false, timeout: handshakeMs })
  socket.once('secureConnect', () => resolve(true))
  for (const end of ['error', 'close', 'timeout']) socket.once(end, () => resolve(false))
  return promise.finally(() => socket.destroy())
}
