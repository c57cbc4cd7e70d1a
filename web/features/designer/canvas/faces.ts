import type { Store } from '../store.ts'

/** Faces that are made in a frame once the view rests. */
export const IN_FRAME = 8

/** Says when blocks that come into a hurrying view get their faces: until then they are boxes with a title. */
export interface Faces {
  /** Whether a block that appears now may have its face at once. */
  readonly atOnce: () => boolean
  /** Runs `show` when it is the block's turn; answers how to call that off. */
  readonly wait: (show: () => void) => () => void
}

export const createFaces = (hurrying: Store<boolean>): Faces => {
  const waiting = new Set<() => void>()
  let frame = 0
  const ask = () => {
    if (frame === 0 && waiting.size > 0 && !hurrying.get()) frame = requestAnimationFrame(serve)
  }
  function serve() {
    frame = 0
    if (hurrying.get()) return
    for (const show of [...waiting].slice(0, IN_FRAME)) {
      waiting.delete(show)
      show()
    }
    ask()
  }
  hurrying.subscribe(ask)
  return {
    atOnce: () => !hurrying.get(),
    wait: show => {
      waiting.add(show)
      ask()
      return () => {
        waiting.delete(show)
      }
    },
  }
}
