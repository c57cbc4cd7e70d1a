import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Address that an upgrade came from, as Fastify finds it for a request: behind trusted proxies, the nearest one that is not theirs. */
export const clientAddress = (proxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const trusted = new BlockList()
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/')
    const family = familyOf(address)
    if (prefix === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(prefix), family)
  }
  const isTrusted = (address: string) => isIP(address) !== 0 && trusted.check(address, familyOf(address))
  return ({ socket, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    let address = unmapped(socket.remoteAddress ?? '')
    for (let next = forwarded.pop(); next !== undefined && isTrusted(address); next = forwarded.pop()) {
      if (next.trim() !== '') address = unmapped(next.trim())
    }
    return address
  }
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
/** An IPv4 address that is written as IPv6 in its usual form. */
export const unmapped = (address: string) => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

/** Key of an address for limits: an IPv6 network of 64 bits is one source, an IPv4 address written as IPv6 is itself. */
export const sourceOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [left, right] = [groups(head), groups(tail ?? '')]
  const all =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
