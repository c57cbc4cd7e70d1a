import { clearNamedTimer, setNamedTimer } from '#web/timer.ts'

/** Faster operations show nothing. */
const THROTTLE_MS = 200
/** Minimum display time, against flicker. */
const MIN_PENDING_MS = 200
const TIMER = 'pending'

/** Tells when to show that something is under way, from when it is. */
export const createPendingIndicator = (show: (isShown: boolean) => void) => {
  let shownAt: number | undefined
  const hide = () => {
    shownAt = undefined
    show(false)
  }
  return {
    set: (isBusy: boolean): void => {
      if (isBusy && shownAt !== undefined) clearNamedTimer(TIMER)
      else if (isBusy) {
        setNamedTimer(
          TIMER,
          () => {
            shownAt = Date.now()
            show(true)
          },
          THROTTLE_MS,
        )
      } else if (shownAt === undefined) clearNamedTimer(TIMER)
      else setNamedTimer(TIMER, hide, Math.max(0, shownAt + MIN_PENDING_MS - Date.now()))
    },
  }
}
