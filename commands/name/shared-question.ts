/**
 * Runs one query per key at a time. A call during a running query shares the next one, which is not older than the
 * call: a thousand waiting calls cost as much as one.
 */
export const sharedQuestion = <T>(ask: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const current = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  const begin = (key: string): Promise<T> => {
    next.delete(key)
    const answer = ask(key)
    current.set(key, answer)
    const over = () => {
      if (current.get(key) === answer) current.delete(key)
    }
    answer.then(over, over)
    return answer
  }

  return key => {
    const before = current.get(key)
    if (before === undefined) return begin(key)
    const again = () => begin(key)
    const shared = next.get(key) ?? before.then(again, again)
    next.set(key, shared)
    return shared
  }
}
