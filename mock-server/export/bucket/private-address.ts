import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const V4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/3'
// Unspecified, loopback, addresses that carry an IPv4 one, unique local, link-local, multicast.
const V6 = '::/96 64:ff9b::/96 64:ff9b:1::/48 2002::/16 fc00::/7 fe80::/10 ff00::/8'

/** Thrown for an address that the network policy does not allow. */
export class PrivateAddress extends Error {
  constructor() {
    super('the address is private, and this server does not connect to private addresses')
    this.name = 'PrivateAddress'
  }
}

/** Creates a test of whether an IP address is private: not part of the public internet. */
export function privateAddressTest(): (address: string) => boolean {
  const blocked = new BlockList()
  for (const [family, subnets] of Object.entries({ ipv4: V4, ipv6: V6 })) {
    for (const [net = '', prefix] of subnets.split(' ').map((subnet) => subnet.split('/'))) {
      blocked.addSubnet(net, Number(prefix), family as 'ipv4' | 'ipv6')
    }
  }
  // BlockList checks an IPv4-mapped IPv6 address as the IPv4 address.
  return (address) => blocked.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Creates a lookup of host names that fails with PrivateAddress for names that resolve to a private address.
 *
 * The connection uses the addresses that were checked, so a name cannot resolve to another address in between.
 */
export function publicLookup(isPrivate: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) callback(error, '', 0)
      else if (addresses.some(({ address }) => isPrivate(address))) callback(new PrivateAddress(), '', 0)
      else if (options.all === true) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}
