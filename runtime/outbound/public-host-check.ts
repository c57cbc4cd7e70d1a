import { setTimeout as pause } from 'node:timers/promises'
import { isPublicAddress, isPublicHost } from './public-address.ts'
import { type Resolve, resolveName } from './target.ts'

const TIMEOUT_MS = 2_000
/** An answer is used again for this long: a redirect does not ask the name server each time. */
const KEPT_MS = 60_000
const MAX_KEPT = 1_000

interface OpenHostOptions {
  readonly allowPrivate: boolean
  readonly resolve?: Resolve
  readonly now?: () => number
}

/**
 * Whether a short address may lead to a host: neither its form nor any address of its name is private. A name without
 * an address leads nowhere and is allowed.
 */
export const createPublicHostCheck = ({ allowPrivate, resolve = resolveName, now = Date.now }: OpenHostOptions) => {
  const kept = new Map<string, { readonly until: number; readonly isOpen: Promise<boolean> }>()
  const ask = async (host: string): Promise<boolean> => {
    const addresses = await Promise.race([resolve(host).catch(() => []), pause(TIMEOUT_MS, [], { ref: false })])
    return addresses.every(isPublicAddress)
  }
  return async (host: string): Promise<boolean> => {
    if (allowPrivate) return true
    if (!isPublicHost(host)) return false
    const known = kept.get(host)
    if (known !== undefined && known.until > now()) return known.isOpen
    if (kept.size >= MAX_KEPT) kept.clear()
    const isOpen = ask(host.startsWith('[') ? host.slice(1, -1) : host)
    kept.set(host, { until: now() + KEPT_MS, isOpen })
    return isOpen
  }
}
