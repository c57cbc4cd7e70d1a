import { stepOutTo } from '../canvas/focus-block.ts'
import type { Designer } from '../session/designer.ts'

/** What the keyboard stops at, first what one presses or types in. */
const STOPS = 'button,input,select,textarea,a[href],[contenteditable=true],[tabindex="0"]'
/** Beyond these nothing is near any more; the canvas holds what lies over it. */
const PART = '[data-region],dialog'
const FAR = '[data-region=canvas],main,body'

const isStop = (element: HTMLElement) =>
  !element.matches(':disabled,[tabindex="-1"]') && element.checkVisibility({ visibilityProperty: true })

const stopIn = (part: Element): HTMLElement | undefined => [...part.querySelectorAll<HTMLElement>(STOPS)].find(isStop)

const partsAround = (element: Element): readonly Element[] => {
  const parts: Element[] = []
  for (let part = element.parentElement; part !== null && !part.matches(FAR); part = part.parentElement) {
    parts.push(part)
    if (part.matches(PART)) break
  }
  return parts
}

/**
 * A button that goes, or is closed, once it was pressed leaves the keyboard nowhere: it goes on beside that button, in
 * what is left around it, else on the canvas; on the button itself when that is open again.
 */
export const keepFocus = ({ canvas }: Designer): (() => void) => {
  let last: { readonly element: HTMLElement; readonly around: readonly Element[] } | undefined
  const isLost = () =>
    last !== undefined &&
    document.activeElement === document.body &&
    (!last.element.isConnected || last.element.matches(':disabled'))
  const place = () => {
    if (last === undefined || !isLost()) return
    const left = last.around.find(part => part.isConnected && stopIn(part) !== undefined)
    const stop = left === undefined ? undefined : stopIn(left)
    if (stop === undefined) stepOutTo(canvas.focus.get())
    else stop.focus()
  }
  const opened = new MutationObserver(() => {
    if (last?.element.matches(':enabled') && document.activeElement === document.body) last.element.focus()
  })
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    last = { element: target, around: partsAround(target) }
    opened.disconnect()
    opened.observe(target, { attributes: true, attributeFilter: ['disabled'] })
  }
  /** Whoever made it go may know a better place, and takes a frame to tell. */
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget === null)
      requestAnimationFrame(() => requestAnimationFrame(() => last?.element.isConnected || place()))
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  // Not every browser tells that what had the focus is gone.
  document.addEventListener('keydown', place, true)
  return () => {
    opened.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    document.removeEventListener('keydown', place, true)
  }
}
