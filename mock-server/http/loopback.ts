const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/

/** Whether the name or the address of a host is that of this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}
