const timers = new Map<string, ReturnType<typeof setTimeout>>()

export const clearNamedTimer = (name: string): void => {
  clearTimeout(timers.get(name))
  timers.delete(name)
}

/** Runs something once after a time; a timer of the same name that is still waiting is cleared. */
export const setNamedTimer = (name: string, run: () => void, ms: number): void => {
  clearNamedTimer(name)
  const timer = setTimeout(() => {
    timers.delete(name)
    run()
  }, ms)
  timers.set(name, timer)
}
