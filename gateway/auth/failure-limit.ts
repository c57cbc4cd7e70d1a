const WINDOW = 60_000
const MOST_ADDRESSES = 100_000

/** Failed sign-in calls of each address in the last minute. */
export interface FailureLimit {
  /** Seconds until this address may try again; undefined when it may now. */
  wait(address: string): number | undefined
  count(address: string): void
}

export const createFailureLimit = (most: number, now: () => number = Date.now): FailureLimit => {
  const failures = new Map<string, number[]>()

  const recent = (address: string): number[] => {
    const since = now() - WINDOW
    const times = (failures.get(address) ?? []).filter(time => time > since)
    if (times.length === 0) failures.delete(address)
    else failures.set(address, times)
    return times
  }

  return {
    wait(address) {
      const times = recent(address)
      const freeing = times.at(-most)
      return times.length < most || freeing === undefined ? undefined : Math.ceil((freeing + WINDOW - now()) / 1000)
    },
    count(address) {
      const times = [...recent(address), now()].slice(-most)
      failures.delete(address)
      failures.set(address, times)
      const oldest = failures.size > MOST_ADDRESSES ? failures.keys().next().value : undefined
      if (oldest !== undefined) failures.delete(oldest)
    },
  }
}
