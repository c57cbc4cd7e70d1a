import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { boxOf, categoryOf } from '../model/look.ts'
import { useStoreValue } from '../store.ts'
import { useCanvas } from './canvas-context.ts'
import { type Box, bounds, overlaps } from './geometry.ts'
import { useWords } from './words.ts'

const WIDTH = 136
const HEIGHT = 96
/** The flow itself comes first. */
const OPENING = 300

interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
}

const viewOf = (box: Box): View => {
  const scale = Math.min(WIDTH / (box.width + 200), HEIGHT / (box.height + 200))
  return {
    scale,
    x: (WIDTH - box.width * scale) / 2 - box.x * scale,
    y: (HEIGHT - box.height * scale) / 2 - box.y * scale,
  }
}

const colorNames = ['flow', 'interaction', 'datamanagement', 'integration', 'cards'] as const

/** The whole flow at a glance, painted: a thousand elements more would make every drag slower. */
export const Minimap = () => {
  const t = useWords()
  const { flow, positions } = useCanvas()
  const store = useStoreApi()
  const { setCenter, getZoom } = useReactFlow()
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<View>({ scale: 1, x: 0, y: 0 })
  const count = useStoreValue(flow, model => model.nodes.size)

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element === null || context == null) return
    const begun = performance.now()
    let frame = 0
    // Read once and not while the flow opens: asking for a style makes the browser compute all of them.
    let colors: ReadonlyMap<string, string> | undefined
    const readColors = () => {
      const style = getComputedStyle(element)
      const named = colorNames.map(
        name => [name, style.getPropertyValue(`--chakra-colors-category-${name}-solid`)] as const,
      )
      return new Map<string, string>([...named, ['view', style.getPropertyValue('--chakra-colors-accent-solid')]])
    }
    const paint = () => {
      frame = 0
      colors ??= readColors()
      const ratio = devicePixelRatio
      if (element.width !== WIDTH * ratio) {
        element.width = WIDTH * ratio
        element.height = HEIGHT * ratio
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      context.clearRect(0, 0, WIDTH, HEIGHT)
      const boxes = [...flow.get().nodes.values()].map(node => ({
        ...boxOf(node),
        ...positions.get(node.id),
        type: node.type,
      }))
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      const shown = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
      const all = bounds(boxes)
      if (all === undefined) return
      const { scale, ...at } = viewOf(overlaps(all, shown) ? all : (bounds([all, shown]) ?? all))
      view.current = { scale, ...at }
      for (const box of boxes) {
        context.fillStyle = colors.get(categoryOf(box.type)) ?? ''
        context.fillRect(
          box.x * scale + at.x,
          box.y * scale + at.y,
          Math.max(2, box.width * scale),
          Math.max(1.5, box.height * scale),
        )
      }
      context.strokeStyle = colors.get('view') ?? ''
      context.fillStyle = `color-mix(in srgb, ${context.strokeStyle} 10%, transparent)`
      context.lineWidth = 1.5
      const rect = [shown.x * scale + at.x, shown.y * scale + at.y, shown.width * scale, shown.height * scale] as const
      context.fillRect(...rect)
      context.strokeRect(...rect)
    }
    const ask = () => {
      if (performance.now() - begun > OPENING && frame === 0) frame = requestAnimationFrame(paint)
    }
    let seen: readonly number[] = []
    const onView = () => {
      const { transform, width, height } = store.getState()
      const now = [...transform, width, height]
      if (now.some((value, index) => value !== seen[index])) ask()
      seen = now
    }
    const first = setTimeout(ask, OPENING)
    const dark = new MutationObserver(() => {
      colors = undefined
      ask()
    })
    dark.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-theme'] })
    const stops = [flow.subscribe(ask), positions.onMoved(ask), store.subscribe(onView), () => dark.disconnect()]
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(first)
      for (const stop of stops) stop()
    }
  }, [flow, positions, store])

  const go = (event: React.PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const { scale, x, y } = view.current
    void setCenter((event.clientX - box.left - x) / scale, (event.clientY - box.top - y) / scale, { zoom: getZoom() })
  }
  return (
    <div className="pl-minimap">
      <canvas
        ref={canvas}
        aria-hidden
        style={{ width: WIDTH, height: HEIGHT }}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={event => {
          if (event.buttons === 1) go(event)
        }}
      />
      <span>{t('canvas.blocks', { count })}</span>
    </div>
  )
}
