/** What a task answered in its time; undefined where it had not. */
type WaitFor = <T>(key: string, timeoutMs: number, run: () => Promise<T>) => Promise<T | undefined>

/**
 * Waits for tasks no longer than their time. One that is overdue goes on, and another of its key is not started until
 * it ends: impatient callers do not queue the same work again and again.
 */
export const createWaitFor = (): WaitFor => {
  const overdue = new Set<string>()
  return async (key, timeoutMs, run) => {
    if (timeoutMs <= 0 || overdue.has(key)) return undefined
    const { promise: timeout, resolve: giveUp } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => {
      overdue.add(key)
      giveUp(undefined)
    }, timeoutMs)
    const task = run().finally(() => {
      clearTimeout(timer)
      overdue.delete(key)
    })
    // Nobody waits for an overdue task: its failure is not the caller's.
    task.catch(() => undefined)
    return Promise.race([task, timeout])
  }
}
