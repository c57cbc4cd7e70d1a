import i18next from 'i18next'

/** The page that was opened comes first. */
const PAUSE = 1_000

const load = () =>
  Promise.all([
    import('#web/features/dialogtask/designer-route.tsx'),
    import('./designer-page.tsx'),
    i18next.loadNamespaces(['designer', 'block']),
  ]).catch(() => {
    // Only a head start: whoever opens a flow hears of what is wrong.
  })

/** Fetches what the designer needs once the page is idle, so that a click on a flow finds it there; answers how not to. */
export const preloadDesigner = (): (() => void) => {
  let calledOff = () => {}
  let left = false
  const timer = setTimeout(() => {
    import('#web/idle.ts').then(
      ({ whenIdle }) => {
        if (!left) calledOff = whenIdle(() => void load())
      },
      () => undefined,
    )
  }, PAUSE)
  return () => {
    left = true
    clearTimeout(timer)
    calledOff()
  }
}
