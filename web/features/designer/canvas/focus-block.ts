/** Frames that a block which was just made takes to be drawn, with some to spare. */
const FRAMES = 8

const canvas = () => document.querySelector<HTMLElement>('.pl-canvas')

/** Gives a block the keyboard's focus without moving the view; false where it is not drawn. */
const takeFocus = (id: string): boolean => {
  const block = canvas()?.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`)
  block?.focus({ preventScroll: true })
  return block != null && document.activeElement === block
}

/** The block has the focus as soon as it is drawn and has its name; out of view, the canvas takes it, so that keys go on working. */
export const focusBlock = (id: string | undefined, frames = FRAMES): void => {
  const { activeElement: before } = document
  requestAnimationFrame(() => {
    // Whoever pressed Enter meanwhile is in the block's form by now.
    const { activeElement: now, body } = document
    if (frames < FRAMES && now !== before && now !== body && canvas()?.contains(now) !== true) return
    if (id !== undefined && takeFocus(id)) return
    if (id !== undefined && frames > 0) focusBlock(id, frames - 1)
    else canvas()?.focus({ preventScroll: true })
  })
}

/** The same at once, for a block that was there before. */
export const stepOutTo = (id: string | undefined): void => {
  if (id === undefined || !takeFocus(id)) canvas()?.focus({ preventScroll: true })
}

/** The same where nothing has the focus any more, because what had it is gone, and until something takes it. */
export const focusBlockIfLost = (id: string | undefined, frames = FRAMES): void => {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body || (id !== undefined && takeFocus(id))) return
    if (id !== undefined && frames > 0) focusBlockIfLost(id, frames - 1)
    else canvas()?.focus({ preventScroll: true })
  })
}
