import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

type Network = readonly [address: string, bits: number]

/** IPv4 networks that IANA's special-purpose registry does not list as globally reachable. */
const CLOSED_IPV4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // cloud services, in addition to 169.254.169.254
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** The allocated part of IPv6. Embedded IPv4 addresses (mapped, NAT64) and all local networks are outside it. */
const OPEN_IPV6: readonly Network[] = [['2000::', 3]]
const CLOSED_IPV6: readonly Network[] = [
  ['2001::', 23], // Teredo and other protocols
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
]

const listOf = (networks: readonly Network[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [address, bits] of networks) list.addSubnet(address, bits, family)
  return list
}

const closedIpv4 = listOf(CLOSED_IPV4, 'ipv4')
const openIpv6 = listOf(OPEN_IPV6, 'ipv6')
const closedIpv6 = listOf(CLOSED_IPV6, 'ipv6')

/** Whether an address is reachable from the whole internet; false for invalid addresses. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !closedIpv4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return openIpv6.check(address, 'ipv6') && !closedIpv6.check(address, 'ipv6')
}

/** Names that public name servers never resolve (RFC 6761, 6762, 8375 and the private-use `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|lan|home\.arpa|intranet)$/u
/** Names of loopback: `localhost.example`, and public names that resolve to it. */
const LOOPBACK_NAME = /^localhost\.|(^|\.)(localtest\.me|lvh\.me)$/u

/** Whether a host, as in `URL.hostname`, can be public. Judges names by their form, without a lookup. */
export const isPublicHost = (host: string): boolean => {
  const name = (host.startsWith('[') ? host.slice(1, -1) : host).toLowerCase().replace(/\.$/u, '')
  if (isIP(name) !== 0) return isPublicAddress(name)
  return name.includes('.') && !LOCAL_NAME.test(name) && !LOOPBACK_NAME.test(name)
}
