import { createStore, type Store } from '../../model/store.ts'

/** Steps from this length on are too fast to read, CSS pixels; longer frames make longer steps. */
export const HURRY = 12
/** The view rests once it has not moved, or no longer hurried, for so long, ms. */
export const REST = 120

/** Motion of the view, from any cause. */
export interface ViewMotion {
  readonly moving: Store<boolean>
  /** In steps too long to read along, or it zooms. */
  readonly hurrying: Store<boolean>
  readonly zooming: Store<boolean>
  /** It moved just now, by so many CSS pixels; without end when it zooms. */
  readonly moved: (by: number) => void
}

/** Something that lasts until it has not been renewed for a while. */
const createSpell = () => {
  const lasts = createStore(false)
  let last = 0
  const settle = () => {
    const left = last + REST - performance.now()
    if (left > 0) setTimeout(settle, left)
    else lasts.set(false)
  }
  const renew = () => {
    last = performance.now()
    if (lasts.get()) return
    lasts.set(true)
    setTimeout(settle, REST)
  }
  return { lasts, renew }
}

export const createViewMotion = (): ViewMotion => {
  const moving = createSpell()
  const hurrying = createSpell()
  const zooming = createSpell()
  return {
    moving: moving.lasts,
    hurrying: hurrying.lasts,
    zooming: zooming.lasts,
    moved: by => {
      moving.renew()
      if (by >= HURRY) hurrying.renew()
      if (by === Number.POSITIVE_INFINITY) zooming.renew()
    },
  }
}
