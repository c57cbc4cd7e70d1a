import { useReactFlow } from '@xyflow/react'
import { type RefObject, useEffect, useRef } from 'react'
import type { Point } from '../model/geometry.ts'

/** Position and target of an opened menu. */
export interface MenuPlace {
  readonly block: string | undefined
  readonly link: string | undefined
  readonly flow: Point
  readonly screen: Point
}

/** Screen pixels that the right button may move before it pans the view. */
const STILL = 4

/**
 * Opens the menu on a right press that does not pan, a long touch, and the menu key. The browser fires the first event
 * on button down.
 */
export const useMenuPress = (
  root: RefObject<HTMLElement | null>,
  onMenu: ((asked: MenuPlace) => void) | undefined,
): void => {
  const { screenToFlowPosition } = useReactFlow()
  const told = useRef(onMenu)
  told.current = onMenu
  useEffect(() => {
    const canvas = root.current
    if (canvas === null) return
    let pressed: { readonly at: Point; readonly target: Element } | undefined
    const ask = (target: Element, screen: Point) =>
      told.current?.({
        block: target.closest<HTMLElement>('[data-block]')?.dataset.block,
        link: target.closest<SVGElement>('[data-link]')?.dataset.link,
        flow: screenToFlowPosition(screen, { snapToGrid: false }),
        screen,
      })
    const isOfCanvas = (target: EventTarget | null): target is Element =>
      target instanceof Element &&
      canvas.contains(target) &&
      target.closest('input,textarea,[contenteditable=true]') === null
    const down = ({ button, clientX: x, clientY: y, target }: PointerEvent) => {
      pressed = button === 2 && isOfCanvas(target) ? { at: { x, y }, target } : undefined
    }
    const up = ({ button, clientX: x, clientY: y }: PointerEvent) => {
      const from = pressed
      pressed = undefined
      if (button !== 2 || from === undefined || Math.hypot(x - from.at.x, y - from.at.y) > STILL) return
      ask(from.target, { x, y })
    }
    const menu = (event: MouseEvent) => {
      if (told.current === undefined || !isOfCanvas(event.target)) return
      event.preventDefault()
      if (pressed !== undefined || event.button === 2) return
      const { left, bottom, width } = event.target.getBoundingClientRect()
      // The menu key has no pointer position.
      const isByKey = event.clientX === 0 && event.clientY === 0
      ask(event.target, isByKey ? { x: left + width / 2, y: bottom } : { x: event.clientX, y: event.clientY })
    }
    canvas.addEventListener('pointerdown', down, true)
    window.addEventListener('pointerup', up, true)
    canvas.addEventListener('contextmenu', menu)
    return () => {
      canvas.removeEventListener('pointerdown', down, true)
      window.removeEventListener('pointerup', up, true)
      canvas.removeEventListener('contextmenu', menu)
    }
  }, [root, screenToFlowPosition])
}
