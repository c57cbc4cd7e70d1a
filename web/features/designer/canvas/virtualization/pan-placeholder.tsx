import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { BLOCK_CATEGORIES } from '#schemas/block.ts'
import { useCanvas, useIsDarkMode, useWords } from '../canvas-context.ts'
import { type PlaceholderColors, paintPanPlaceholder } from './pan-placeholder-picture.ts'
import { undrawnBlocks, viewOf } from './virtualize-blocks.ts'

const colorsOf = (element: Element): PlaceholderColors => {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name)
  return {
    surface: read('--c-surface'),
    edge: read('--c-strong'),
    link: read('--c-link'),
    text: read('--c-text'),
    font: style.fontFamily,
    tiles: new Map(BLOCK_CATEGORIES.map(name => [name, read(`--chakra-colors-category-${name}-muted`)])),
  }
}

/** A picture of what comes into a hurrying view, until it is drawn. */
export const PanPlaceholder = () => {
  const store = useStoreApi()
  const state = useCanvas()
  const t = useWords()
  const dark = useIsDarkMode()
  const canvas = useRef<HTMLCanvasElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours are read again.
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element === null || context == null) return
    let frame = 0
    let colors: PlaceholderColors | undefined
    const paint = () => {
      frame = 0
      const now = store.getState()
      const ids = undrawnBlocks(state.drawn.get(), state.boxes(), viewOf(now))
      element.hidden = ids.size === 0
      if (ids.size === 0) return
      colors ??= colorsOf(element)
      const ratio = devicePixelRatio
      const [x, y, zoom] = now.transform
      const [wide, high] = [Math.round(now.width * ratio), Math.round(now.height * ratio)]
      if (element.width !== wide) element.width = wide
      if (element.height !== high) element.height = high
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, wide, high)
      context.setTransform(zoom * ratio, 0, 0, zoom * ratio, x * ratio, y * ratio)
      paintPanPlaceholder(context, state, ids, zoom, colors, t)
    }
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(paint)
    }
    let { transform } = store.getState()
    const stops = [
      store.subscribe(({ transform: now }) => {
        if (now !== transform) ask()
        transform = now
      }),
      state.drawn.subscribe(ask),
      state.flow.subscribe(() => state.motion.hurrying.get() && ask()),
    ]
    return () => {
      cancelAnimationFrame(frame)
      for (const stop of stops) stop()
    }
  }, [store, state, t, dark])
  return <canvas ref={canvas} className="pl-passing" aria-hidden hidden />
}
