/** Runs something when the page has nothing better to do, within half a second; answers how to call it off. */
export const whenIdle = (run: () => void): (() => void) => {
  // Not every browser tells when it is idle.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 50)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(run, { timeout: 500 })
  return () => cancelIdleCallback(asked)
}
