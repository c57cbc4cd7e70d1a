/** Frames that a block which was just made takes to be drawn, with some to spare. */
const FRAMES = 8

const canvas = () => document.querySelector<HTMLElement>('.pl-canvas')

/** Gives a block the keyboard's focus without moving the view; false where it is not drawn. */
const takeFocus = (id: string): boolean => {
  const block = canvas()?.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`)
  block?.focus({ preventScroll: true })
  return block != null && document.activeElement === block
}

/** Focuses the block once it is drawn and has its name; out of view, focuses the canvas so that keys keep working. */
export const focusBlock = (id: string | undefined, frames = FRAMES): void => {
  const { activeElement: before } = document
  requestAnimationFrame(() => {
    // Enter may have moved the focus to the block's form meanwhile.
    const { activeElement: now, body } = document
    if (frames < FRAMES && now !== before && now !== body && canvas()?.contains(now) !== true) return
    if (id !== undefined && takeFocus(id)) return
    if (id !== undefined && frames > 0) focusBlock(id, frames - 1)
    else canvas()?.focus({ preventScroll: true })
  })
}

/** The same at once, for a block that was there before. */
export const focusBlockNow = (id: string | undefined): void => {
  if (id === undefined || !takeFocus(id)) canvas()?.focus({ preventScroll: true })
}

/** The same, only while nothing has focus because the focused element was removed. */
export const focusBlockIfLost = (id: string | undefined, frames = FRAMES): void => {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body || (id !== undefined && takeFocus(id))) return
    if (id !== undefined && frames > 0) focusBlockIfLost(id, frames - 1)
    else canvas()?.focus({ preventScroll: true })
  })
}
