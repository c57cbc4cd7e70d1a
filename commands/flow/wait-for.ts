/** Result of a task; undefined after its timeout. */
type WaitFor = <T>(key: string, timeoutMs: number, run: () => Promise<T>) => Promise<T | undefined>

/**
 * Waits for tasks up to their timeout. An overdue task continues, and no other task of its key starts until it ends:
 * repeated calls do not queue the same work.
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
    // No caller waits for an overdue task: its failure is ignored.
    task.catch(() => undefined)
    return Promise.race([task, timeout])
  }
}
