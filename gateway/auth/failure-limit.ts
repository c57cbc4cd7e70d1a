import { isIPv6 } from 'node:net'

const WINDOW = 60_000
const MAX_SOURCES = 100_000
/** Calls of one source that are checked at one time. */
const MAX_RUNNING = 300
/** Seconds until one of them is done, about. */
const RUNNING_WAIT_S = 1

/** Failed sign-in calls of each source in the last minute (rate limiters from the registry count calls, not failures): an address, or a session's user. */
interface FailureLimit {
  /** Seconds until this source may try again; undefined when it may now. */
  wait(source: string): number | undefined
  count(source: string): void
  /** Counts a call that runs; answers how to count it out. */
  start(source: string): () => void
}

/** Who has one IPv6 address has the 2^64 of its network: they count as one. An IPv4 address written as IPv6 is itself. */
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

export const createFailureLimit = (most: number, now: () => number = () => performance.now()): FailureLimit => {
  const failures = new Map<string, number[]>()
  const running = new Map<string, number>()

  const recent = (source: string): number[] => {
    const since = now() - WINDOW
    const times = (failures.get(source) ?? []).filter(time => time > since)
    if (times.length === 0) failures.delete(source)
    else failures.set(source, times)
    return times
  }

  return {
    wait(source) {
      if ((running.get(source) ?? 0) >= MAX_RUNNING) return RUNNING_WAIT_S
      const times = recent(source)
      const freeing = times.at(-most)
      return times.length < most || freeing === undefined ? undefined : Math.ceil((freeing + WINDOW - now()) / 1000)
    },
    start(source) {
      running.set(source, (running.get(source) ?? 0) + 1)
      return () => {
        const left = (running.get(source) ?? 1) - 1
        if (left === 0) running.delete(source)
        else running.set(source, left)
      }
    },
    count(source) {
      const times = [...recent(source), now()].slice(-most)
      failures.delete(source)
      failures.set(source, times)
      const oldest = failures.size > MAX_SOURCES ? failures.keys().next().value : undefined
      if (oldest !== undefined) failures.delete(oldest)
    },
  }
}
