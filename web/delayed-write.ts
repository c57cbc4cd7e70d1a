interface Waiting {
  readonly timer: ReturnType<typeof setTimeout>
  readonly run: (isLeaving: boolean) => Promise<unknown>
}

const waiting = new Set<Waiting>()

const runNow = async (write: Waiting, isLeaving: boolean): Promise<void> => {
  if (!waiting.delete(write)) return
  clearTimeout(write.timer)
  await write.run(isLeaving)
}

/** Runs all writes that still wait: the page or the session ends. `isLeaving`: no answer can be waited for. */
export const runDelayedWrites = async (isLeaving = false): Promise<void> => {
  await Promise.all([...waiting].map(write => runNow(write, isLeaving).catch(() => undefined)))
}

const onLeave = (): void => void runDelayedWrites(true)

/** Runs a write after a time in which the user can undo it, or at once when the page or the session ends. */
export const delayWrite = (
  ms: number,
  run: Waiting['run'],
): { readonly cancel: () => void; readonly now: () => Promise<void> } => {
  addEventListener('pagehide', onLeave)
  const write: Waiting = { timer: setTimeout(() => void runNow(write, false), ms), run }
  waiting.add(write)
  return {
    cancel: () => {
      waiting.delete(write)
      clearTimeout(write.timer)
    },
    now: () => runNow(write, false),
  }
}
