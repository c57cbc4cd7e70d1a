import i18next from 'i18next'
import { useEffect } from 'react'
import { useSession } from '#web/api/session.ts'

/** Lets the opened page load first. */
const START_DELAY_MS = 1_000
/** A page that is never idle gets it after this. */
const IDLE_TIMEOUT_MS = 2_000

const load = () =>
  Promise.all([
    import('#web/features/designer/designer-route.tsx'),
    import('#web/features/designer/designer-page.tsx'),
    i18next.loadNamespaces(['designer', 'block']),
  ]).catch(() => {
    // A preload only: opening a flow reports the failure.
  })

/** Loads the designer's chunks and texts once the page is idle; returns how to cancel. */
export const preloadWhenIdle = (): (() => void) => {
  let cancel = () => {}
  let cancelled = false
  const timer = setTimeout(() => {
    import('#web/idle.ts').then(
      ({ whenIdle }) => {
        if (!cancelled) cancel = whenIdle(() => void load(), IDLE_TIMEOUT_MS)
      },
      () => undefined,
    )
  }, START_DELAY_MS)
  return () => {
    cancelled = true
    clearTimeout(timer)
    cancel()
  }
}

/** Set in a browser's or system's settings; not every browser tells it. */
const savesData = (): boolean =>
  (navigator as { readonly connection?: { readonly saveData?: boolean } }).connection?.saveData === true

/** Preloads the designer for users with read access to flows, unless the browser saves data. */
export const PreloadDesigner = () => {
  const mayRead = useSession().can('readdialog')
  useEffect(() => (mayRead && !savesData() ? preloadWhenIdle() : undefined), [mayRead])
  return null
}
