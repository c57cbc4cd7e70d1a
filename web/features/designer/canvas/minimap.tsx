import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { boxOf, categoryOf, isFrame, shapeOf, sizeOf } from '../model/block-appearance.ts'
import { type Box, bounds, overlaps, type Point } from '../model/geometry.ts'
import { useStoreValue } from '../model/store.ts'
import { blockSizeOf, type CanvasState, useCanvas, useWords } from './canvas-context.ts'
import { OWN_LIFT } from './positions.ts'

/** Here a block that is carried across the canvas moves by a few pixels: painted so often, ms. */
export const CARRYING = 300

interface Painter {
  readonly ask: () => void
  /** The cached picture is no longer valid. */
  readonly askAnew: () => void
}

/** When blocks that moved are painted on the map: at once, but while they are merely carried on, now and then. */
export const createMinimapThrottle = (isLifted: (block: string) => boolean, { ask, askAnew }: Painter) => {
  const carried = new Set<string>()
  let soon: ReturnType<typeof setTimeout> | undefined
  const askSoon = () => {
    soon ??= setTimeout(() => {
      soon = undefined
      ask()
    }, CARRYING)
  }
  return {
    moved: (blocks: ReadonlySet<string>) => {
      const stays = [...blocks].every(block => isLifted(block) && carried.has(block))
      for (const block of blocks) {
        if (isLifted(block)) carried.add(block)
        else carried.delete(block)
      }
      if (stays) askSoon()
      else askAnew()
    },
    /** Paints it with what is carried on. */
    soon: askSoon,
    stop: () => clearTimeout(soon),
  }
}

/** Of the picture, CSS pixels. */
const PICTURE = { width: 136, height: 96 } as const

/** Place and scale of the flow. */
interface Scale extends Point {
  readonly scale: number
}

const scaleOf = (box: Box): Scale => {
  const scale = Math.min(PICTURE.width / (box.width + 200), PICTURE.height / (box.height + 200))
  return {
    scale,
    x: (PICTURE.width - box.width * scale) / 2 - box.x * scale,
    y: (PICTURE.height - box.height * scale) / 2 - box.y * scale,
  }
}

/** Whether two states of a flow give the same picture: block contents do not show. */
const isSameMinimapPicture = (a: FlowModel['nodes'], b: FlowModel['nodes']): boolean => {
  if (a.size !== b.size) return false
  for (const [id, node] of b) {
    const other = a.get(id)
    if (other === node) continue
    if (other?.x !== node.x || other.y !== node.y || other.type !== node.type || shapeOf(node) !== undefined)
      return false
    if (other.outputs.length !== node.outputs.length) return false
  }
  return true
}

/** Colours by category, and of the view's frame. */
type Colors = ReadonlyMap<string, string>

const surface = (ratio: number): CanvasRenderingContext2D | null => {
  const canvas = document.createElement('canvas')
  canvas.width = PICTURE.width * ratio
  canvas.height = PICTURE.height * ratio
  const context = canvas.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}

/**
 * The whole flow at a glance. Blocks at rest are painted once and kept: a frame of a drag paints the carried ones over
 * them, and the view.
 */
const createMinimapPainter = (state: CanvasState, context: CanvasRenderingContext2D) => {
  const { flow, positions } = state
  const ratio = devicePixelRatio
  context.canvas.width = PICTURE.width * ratio
  context.canvas.height = PICTURE.height * ratio
  const rest = surface(ratio)
  let held: { readonly carried: readonly string[]; readonly all: Box | undefined; readonly at: Scale } | undefined

  const whole = () => {
    const size = blockSizeOf(state)
    return bounds([...flow.get().nodes.values()].map(node => boxOf(node, size)))
  }
  const fill = (on: CanvasRenderingContext2D, id: string, { scale, x, y }: Scale, colors: Colors) => {
    const node = flow.get().nodes.get(id)
    if (node === undefined || isFrame(node)) return
    const place = positions.get(id)
    on.fillStyle = colors.get(categoryOf(node.type)) ?? ''
    const { width, height } = sizeOf(node, blockSizeOf(state))
    on.fillRect(place.x * scale + x, place.y * scale + y, Math.max(2, width * scale), Math.max(1.5, height * scale))
  }
  const settle = (on: CanvasRenderingContext2D, at: Scale, all: Box | undefined, colors: Colors) => {
    const carried: string[] = []
    on.clearRect(0, 0, PICTURE.width, PICTURE.height)
    for (const id of flow.get().nodes.keys()) {
      if (positions.lifted(id)) carried.push(id)
      else fill(on, id, at, colors)
    }
    held = { carried, all, at }
    return held
  }
  return {
    /** Invalidates the cached picture. */
    forget: () => {
      held = undefined
    },
    paint: (shown: Box, colors: Colors): Scale | undefined => {
      const all = held === undefined ? whole() : held.all
      if (all === undefined || rest === null) return undefined
      const at = scaleOf(overlaps(all, shown) ? all : (bounds([all, shown]) ?? all))
      const same = held !== undefined && held.at.scale === at.scale && held.at.x === at.x && held.at.y === at.y
      const { carried } = same && held !== undefined ? held : settle(rest, at, all, colors)
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, context.canvas.width, context.canvas.height)
      context.drawImage(rest.canvas, 0, 0)
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      for (const id of carried) fill(context, id, at, colors)
      context.strokeStyle = colors.get('view') ?? ''
      context.fillStyle = colors.get('seen') ?? ''
      context.lineWidth = 1.5
      const { scale, x, y } = at
      const frame = [shown.x * scale + x, shown.y * scale + y, shown.width * scale, shown.height * scale] as const
      context.fillRect(...frame)
      context.strokeRect(...frame)
      return at
    },
  }
}

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
