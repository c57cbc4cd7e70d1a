import { focusBlockNow } from '../canvas/focus-block.ts'
import type { Designer } from '../session/designer.ts'

/** Focusable elements. */
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
 * A button that disappears or is disabled after its press loses the focus: this moves it to the nearest remaining stop
 * around the button, else the canvas, and back to the button once enabled.
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
    if (stop === undefined) focusBlockNow(canvas.focus.get())
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
  /** The code that removed it may set a better focus within a frame. */
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget === null)
      requestAnimationFrame(() => requestAnimationFrame(() => last?.element.isConnected || place()))
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  // Not every browser reports a removed focused element.
  document.addEventListener('keydown', place, true)
  return () => {
    opened.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    document.removeEventListener('keydown', place, true)
  }
}
