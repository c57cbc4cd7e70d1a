import { createStore, type Store } from '../store.ts'

/** A step that is read along with is shorter, CSS pixels; where frames take longer, steps are. */
export const HURRY = 12
/** The view rests once it has not hurried for so long, ms. */
export const REST = 120

/** Whether the view moves in steps too long to read along, or zooms, whoever moves it. */
export interface Motion {
  readonly hurrying: Store<boolean>
  /** It moved just now, by so many CSS pixels; without end when it zooms. */
  readonly moved: (by: number) => void
}

export const createMotion = (): Motion => {
  const hurrying = createStore(false)
  let last = 0
  const settle = () => {
    const left = last + REST - performance.now()
    if (left > 0) setTimeout(settle, left)
    else hurrying.set(false)
  }
  return {
    hurrying,
    moved: by => {
      if (by < HURRY) return
      last = performance.now()
      if (hurrying.get()) return
      hurrying.set(true)
      setTimeout(settle, REST)
    },
  }
}
