import { connect } from 'node:tls'

/** Error codes of OpenSSL and Node for untrusted certificates. */
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

/** Describes a permanent connection failure and its remedy; undefined if waiting may help. */
export async function permanentFailure(url: string, error: unknown): Promise<string | undefined> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const other = (protocol: string) => url.replace(/^\w+:/, `${protocol}:`)
  if (url.startsWith('https:') && (code === 'EPROTO' || code.startsWith('ERR_SSL_'))) {
    return `does not support TLS. For plain HTTP, use ${other('http')}`
  }
  // A TLS server closes a connection that receives plain HTTP; so does a server that has just crashed.
  if (url.startsWith('http:') && /^(?:HPE_|UND_ERR_SOCKET$|ECONNRESET$)/.test(code) && (await speaksTls(url))) {
    return `does not support plain HTTP. For TLS, use ${other('https')}`
  }
  if (code === 'ENOTFOUND') return 'has an unknown host. Correct the URL'
  if (untrusted.has(code)) {
    return `has an untrusted certificate (${code}). Set NODE_EXTRA_CA_CERTS to the file of its authority, or use the host name of the certificate in the URL`
  }
  return undefined
}

function speaksTls(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const host = hostname.replace(/^\[|\]$/g, '')
  // No data is sent, so the certificate need not be trusted.
  const socket = connect({ host, port: Number(port || 80), rejectUnauthorized: false, timeout: handshakeMs })
  socket.once('secureConnect', () => resolve(true))
  for (const end of ['error', 'close', 'timeout']) socket.once(end, () => resolve(false))
  return promise.finally(() => socket.destroy())
}
