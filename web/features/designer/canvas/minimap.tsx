import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useStoreValue } from '../model/store.ts'
import { useCanvas, useWords } from './canvas-context.ts'
import { type Colors, createMinimapPainter, isSameMinimapPicture, PICTURE, type Scale } from './minimap-painter.ts'
import { OWN_LIFT } from './positions.ts'
import { createMinimapThrottle } from './virtualization/minimap-throttle.ts'

/** The flow itself comes first. */
const OPENING = 300

const colorNames = ['flow', 'interaction', 'datamanagement', 'integration', 'cards'] as const

/** The whole flow at a glance, painted: a thousand elements more would make every drag slower. */
export const Minimap = () => {
  const t = useWords()
  const state = useCanvas()
  const { flow, positions } = state
  const store = useStoreApi()
  const { setCenter, getZoom } = useReactFlow()
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<Scale>({ scale: 1, x: 0, y: 0 })
  const count = useStoreValue(flow, model => model.nodes.size)

  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element === null || context == null) return
    const begun = performance.now()
    const picture = createMinimapPainter(state, context)
    let frame = 0
    // Read once and not while the flow opens: asking for a style makes the browser compute all of them.
    let colors: Colors | undefined
    const readColors = (): Colors => {
      const style = getComputedStyle(element)
      const named = colorNames.map(
        name => [name, style.getPropertyValue(`--chakra-colors-category-${name}-solid`)] as const,
      )
      const seen = style.getPropertyValue('--chakra-colors-accent-solid')
      return new Map([...named, ['view', seen], ['seen', `color-mix(in srgb, ${seen} 10%, transparent)`]])
    }
    const paint = () => {
      frame = 0
      colors ??= readColors()
      const { transform, width, height } = store.getState()
      const [x, y, zoom] = transform
      const shown = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom }
      view.current = picture.paint(shown, colors) ?? view.current
    }
    const ask = () => {
      if (performance.now() - begun > OPENING && frame === 0) frame = requestAnimationFrame(paint)
    }
    // Beside a hand that carries something here the map may take its time.
    const askAnew = () => {
      picture.forget()
      if (positions.lifts(OWN_LIFT)) pace.soon()
      else ask()
    }
    const pace = createMinimapThrottle(id => positions.lifted(id), { ask, askAnew })
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
      askAnew()
    })
    dark.observe(document.documentElement, { attributes: true, attributeFilter: ['class', 'data-theme'] })
    let nodes = flow.get().nodes
    const onFlow = () => {
      const before = nodes
      nodes = flow.get().nodes
      if (!isSameMinimapPicture(before, nodes)) askAnew()
    }
    const stops = [
      flow.subscribe(onFlow),
      positions.onMoved(pace.moved),
      state.compact.subscribe(askAnew),
      store.subscribe(onView),
      () => dark.disconnect(),
    ]
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(first)
      pace.stop()
      for (const stop of stops) stop()
    }
  }, [state, flow, positions, store])

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
        style={PICTURE}
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
