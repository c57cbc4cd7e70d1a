import { useReactFlow } from '@xyflow/react'
import { useCallback } from 'react'
import { blockSizeOf } from '../canvas/canvas-context.ts'
import { focusBlock, focusBlockNow } from '../canvas/focus-block.ts'
import { ZOOM } from '../canvas/zoom.ts'
import { boxOf } from '../model/block-appearance.ts'
import { centerOf } from '../model/geometry.ts'
import { type Handlers, handlerOf, keyOf } from '../model/key-table.ts'
import { type Step, walk } from '../model/reading-order.ts'
import type { Designer } from '../session/designer.ts'

/** Keys on the canvas itself: arrows follow the links, Space selects, Enter opens the inspector, L links. */
export const useBlockKeys = (designer: Designer, onLink: (block: string) => void) => {
  const camera = useReactFlow()
  return useCallback(
    (event: React.KeyboardEvent) => {
      const { canvas } = designer
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const at = canvas.focus.get()
      const go = (step: Step) => {
        const next = walk(canvas.flow.get(), at, step)
        const node = next === undefined ? undefined : canvas.flow.get().nodes.get(next)
        if (node === undefined) return
        canvas.focus.set(node.id)
        const { x, y } = centerOf(boxOf(node, blockSizeOf(canvas)))
        void camera.setCenter(x, y, { zoom: camera.getZoom(), duration: ZOOM.duration })
        focusBlock(node.id)
      }
      const here = (run: (block: string) => void) => at !== undefined && run(at)
      const keys: Handlers<'block', () => void> = {
        arrowdown: () => go('down'),
        arrowup: () => go('up'),
        arrowleft: () => go('left'),
        arrowright: () => go('right'),
        home: () => go('home'),
        ' ': () =>
          here(id =>
            canvas.selection.set(({ blocks }) => ({
              blocks: blocks.symmetricDifference(new Set([id])),
              links: new Set(),
            })),
          ),
        enter: () =>
          here(id => {
            canvas.selection.set({ blocks: new Set([id]), links: new Set() })
            designer.wanted.set({ block: id, ...(designer.mayEdit ? { typed: '' } : {}) })
          }),
        l: () => designer.mayEdit && here(onLink),
      }
      const action = handlerOf(keys, keyOf(event.nativeEvent))
      if (action === undefined) return
      event.preventDefault()
      action()
    },
    [designer, camera, onLink],
  )
}

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
