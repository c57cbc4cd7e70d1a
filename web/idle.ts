/** A pointer is pressed: long tasks are noticeable. */
let isHeld = false
const onLetGo = new Set<() => void>()

const setHeld = (held: boolean) => {
  isHeld = held
  if (!held) for (const resume of [...onLetGo]) resume()
}

/** Only the primary button: a context menu can end another press without an event. */
const watch = ({ buttons }: PointerEvent) => setHeld((buttons & 1) === 1)

// A release outside the page is detected by the next pointer move.
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
 * Runs a callback when the page is idle, at the latest after `timeoutMs`, but never while a pointer is pressed; returns
 * a cancel function.
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
