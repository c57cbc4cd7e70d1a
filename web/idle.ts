/** Whoever holds something feels at once what takes long. */
let isHeld = false
const onLetGo = new Set<() => void>()

const setHeld = (held: boolean) => {
  isHeld = held
  if (!held) for (const resume of [...onLetGo]) resume()
}

/** The first button's: what a menu of another opens over the page may end it without telling. */
const watch = ({ buttons }: PointerEvent) => setHeld((buttons & 1) === 1)

// A button that is let go where no page hears of it is noticed by the next move.
for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const) {
  globalThis.addEventListener?.(type, watch, { capture: true, passive: true })
}
globalThis.addEventListener?.('blur', () => setHeld(false))

const IDLE_TIMEOUT_MS = 500

const askIdle = (run: () => void, timeout: number): (() => void) => {
  // Not every browser tells when it is idle.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 50)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(run, { timeout })
  return () => cancelIdleCallback(asked)
}

/**
 * Runs something when the page has nothing better to do, at the latest after `timeoutMs`, but not while a pointer is held
 * down; answers how to call it off.
 */
export const whenIdle = (run: () => void, timeoutMs: number = IDLE_TIMEOUT_MS): (() => void) => {
  let callOff = () => {}
  const ask = () => {
    callOff = askIdle(() => (isHeld ? wait() : run()), timeoutMs)
  }
  const wait = () => {
    const resume = () => {
      onLetGo.delete(resume)
      ask()
    }
    onLetGo.add(resume)
    callOff = () => void onLetGo.delete(resume)
  }
  ask()
  return () => callOff()
}
