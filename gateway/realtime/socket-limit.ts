/** Sockets of callers that nobody has identified, at one time: from one address or IPv6 network, and in all. */
export const MAX_PER_SOURCE = 100
const MAX_IN_ALL = 1_000

/** Bounds how many sockets are open before their session is known. */
interface SocketLimit {
  /** Counts one in; answers how to count it out, which may be called more than once. Undefined: too many. */
  take(source: string): (() => void) | undefined
}

export const createSocketLimit = (perSource = MAX_PER_SOURCE, inAll = MAX_IN_ALL): SocketLimit => {
  const open = new Map<string, number>()
  let total = 0
  return {
    take(source) {
      const count = open.get(source) ?? 0
      if (count >= perSource || total >= inAll) return undefined
      open.set(source, count + 1)
      total += 1
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        total -= 1
        const left = (open.get(source) ?? 1) - 1
        if (left === 0) open.delete(source)
        else open.set(source, left)
      }
    },
  }
}
