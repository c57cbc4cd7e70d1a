/** Lets what has the same key happen one after the other; `undefined` when too many wait already. */
export interface KeyedLimiter {
  take<T>(key: string, work: () => Promise<T>): Promise<T | undefined>
}

export const createKeyedMutex = (most: number): KeyedLimiter => {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>()
  return {
    async take(key, work) {
      const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 }
      if (line.length >= most) return undefined
      line.length += 1
      lines.set(key, line)
      const mine = line.last.then(work)
      line.last = mine.catch(() => {})
      try {
        return await mine
      } finally {
        line.length -= 1
        if (line.length === 0) lines.delete(key)
      }
    },
  }
}

/** Bounds how much of one key is under way at one time; `undefined` when it is too much. */
export const createConcurrencyLimiter = (most: number): KeyedLimiter => {
  const taken = new Map<string, number>()
  return {
    async take(key, work) {
      const count = taken.get(key) ?? 0
      if (count >= most) return undefined
      taken.set(key, count + 1)
      try {
        return await work()
      } finally {
        const left = (taken.get(key) ?? 1) - 1
        if (left === 0) taken.delete(key)
        else taken.set(key, left)
      }
    },
  }
}
