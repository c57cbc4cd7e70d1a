const MAX_KEYS = 100_000

/** Bounds calls of each key within a window. Answers the seconds to wait, 0 for none; what is refused does not count. */
export const createWindowLimit = (
  most: number,
  windowMs: number,
  now: () => number = () => performance.now(),
): ((key: string) => number) => {
  const calls = new Map<string, number[]>()
  return key => {
    const since = now() - windowMs
    const recent = (calls.get(key) ?? []).filter(time => time > since)
    const freeing = recent.at(-most)
    const wait =
      recent.length < most || freeing === undefined ? 0 : Math.max(1, Math.ceil((freeing + windowMs - now()) / 1000))
    if (wait === 0) recent.push(now())
    // The newest keys come last, so that the oldest is the one forgotten.
    calls.delete(key)
    calls.set(key, recent)
    const oldest = calls.size > MAX_KEYS ? calls.keys().next().value : undefined
    if (oldest !== undefined) calls.delete(oldest)
    return wait
  }
}
