import '@xyflow/react/dist/base.css'
import './canvas.css'
import './link.css'
import './diff.css'
import './level.css'
import './compact.css'
import './virtualization/view-motion.css'
import {
  Background,
  BackgroundVariant,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  type Transform,
  useReactFlow,
  useStoreApi,
  type Viewport,
} from '@xyflow/react'
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LinkModel } from '#domain/flow/document/model.ts'
import { boxOf } from '../model/block-appearance.ts'
import { type Box, centerOf, type Point, SIZE } from '../model/geometry.ts'
import { useStoreValue } from '../model/store.ts'
import { BlockNode } from './block-node.tsx'
import {
  blockSizeOf,
  CanvasContext,
  type CanvasState,
  type LinkDrag,
  NOTHING,
  useBlockSize,
  useCanvas,
  useIsDarkMode,
} from './canvas-context.ts'
import { GuideLayer, LinkDragLayer } from './link-drag-layer.tsx'
import { linkPoints } from './link-hit-test.ts'
import { LinkLayer } from './link-layer.tsx'
import { openingViewport } from './opening-viewport.ts'
import { useCanvasNodes } from './use-canvas-nodes.ts'
import { type DragReport, useDrag } from './use-drag.ts'
import { type LinkEndTarget, type OutputRef, useLinkDrag, useLinkEndDrag } from './use-link-drag.ts'
import { type MenuPlace, useMenuPress } from './use-menu-press.ts'
import { ViewportLayer } from './viewport-layer.tsx'
import { PanPlaceholder } from './virtualization/pan-placeholder.tsx'
import { PanShield } from './virtualization/pan-shield.tsx'
import { useVirtualizedBlocks } from './virtualization/virtualize-blocks.ts'
import { useZoomLevel, ZOOM } from './zoom.ts'

const ENDS = ['from', 'to'] as const
/** A handle as it is drawn, and what of it takes a press. Flow pixels. */
const RADIUS = { drawn: 6, pressed: 13, insert: 10 } as const

interface LinkEndsProps {
  readonly onMoved: (link: LinkModel, end: LinkEndTarget) => void
  /** Adds a block within the chosen link. */
  readonly onInsert: (() => void) | undefined
}

const Handles = ({ link, onMoved, onInsert }: LinkEndsProps & { readonly link: LinkModel }) => {
  const { t } = useTranslation('designer')
  const canvas = useCanvas()
  const group = useRef<SVGGElement>(null)
  const pullEnd = useLinkEndDrag(canvas, onMoved)
  const isPulled = useStoreValue(canvas.pull, pull => pull !== undefined)
  useLayoutEffect(() => {
    const place = () => {
      const points = linkPoints(canvas, link)
      const { x, y } = points?.insert ?? { x: 0, y: 0 }
      group.current?.querySelector('.pl-link-insert')?.setAttribute('transform', `translate(${x},${y})`)
      for (const handle of group.current?.querySelectorAll<SVGCircleElement>('[data-end]') ?? []) {
        const at = points?.[handle.dataset.end === 'from' ? 'from' : 'to']
        handle.setAttribute('cx', String(at?.x ?? 0))
        handle.setAttribute('cy', String(at?.y ?? 0))
      }
    }
    place()
    return canvas.positions.watch([link.from, link.to], place)
  }, [canvas, link])
  return (
    <ViewportLayer>
      <svg className="pl-overlay" aria-hidden style={isPulled ? { visibility: 'hidden' } : undefined}>
        <g ref={group}>
          {ENDS.map(end => (
            <g key={end} onPointerDown={event => pullEnd(event, link, end)}>
              <circle className="pl-link-end-room nodrag nopan" data-end={end} r={RADIUS.pressed} />
              <circle className="pl-link-end nodrag nopan" data-end={end} r={RADIUS.drawn} />
            </g>
          ))}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the key A does the same for the chosen link */}
          <g
            className="pl-link-insert nodrag nopan"
            onPointerDown={event => event.stopPropagation()}
            onClick={event => {
              event.stopPropagation()
              onInsert?.()
            }}
          >
            <title>{t('link.insert')}</title>
            <circle r={RADIUS.insert} />
            <path d="M-4,0H4M0,-4V4" />
          </g>
        </g>
      </svg>
    </ViewportLayer>
  )
}

/** On the one chosen link: its ends, to be dragged to another block, and a button that inserts a block. */
const LinkEnds = ({ onMoved, onInsert }: LinkEndsProps) => {
  const canvas = useCanvas()
  const { blocks, links } = useStoreValue(canvas.selection)
  const [id, more] = [...links]
  const link = useStoreValue(canvas.flow, flow => (id === undefined ? undefined : flow.links.get(id)))
  if (link === undefined || more !== undefined || blocks.size > 0) return null
  return <Handles key={link.id} link={link} onMoved={onMoved} onInsert={onInsert} />
}

/**
 * Reports the pointer's position on the flow, and its block. Reads the canvas rectangle only when it may have changed,
 * not on each move in mid-frame.
 */
const usePointer = (
  root: RefObject<HTMLElement | null>,
  tell: ((at: Point | undefined, block?: string) => void) | undefined,
): void => {
  const store = useStoreApi()
  useEffect(() => {
    const element = root.current
    if (element === null || tell === undefined) return
    let place: DOMRect | undefined
    let block: string | undefined
    const forget = () => {
      place = undefined
    }
    const onMove = ({ clientX, clientY, target, buttons }: PointerEvent) => {
      // A dragged block stays under the pointer.
      if (buttons === 0 && target instanceof Element) block = target.closest<HTMLElement>('[data-block]')?.dataset.block
      place ??= element.getBoundingClientRect()
      const [x, y, zoom] = store.getState().transform
      tell({ x: (clientX - place.x - x) / zoom, y: (clientY - place.y - y) / zoom }, block)
    }
    const onLeave = () => {
      forget()
      tell(undefined)
    }
    const size = new ResizeObserver(forget)
    size.observe(element)
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerleave', onLeave)
    return () => {
      size.disconnect()
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerleave', onLeave)
    }
  }, [root, store, tell])
}

/** From the middle of the ghost to the edge of the block that faces it; nothing where they overlap too much to tell. */
const arrowTo = (from: Point, box: Box): string => {
  const dx = box.x - from.x
  const dy = box.y - from.y
  const inside = Math.min(box.width / 2 / Math.abs(dx || 1), box.height / 2 / Math.abs(dy || 1))
  if (inside >= 1) return ''
  const { x, y } = centerOf({ ...box, ...from })
  return `M${x},${y}L${x + dx * (1 - inside)},${y + dy * (1 - inside)}`
}

/** Old places of moved blocks, with an arrow to the new one. */
const GhostLayer = () => {
  const canvas = useCanvas()
  const size = useBlockSize()
  const decorations = useStoreValue(canvas.decorations)
  const flow = useStoreValue(canvas.flow)
  const moved = [...decorations].flatMap(([id, { from }]) => {
    const node = flow.nodes.get(id)
    return from === undefined || node === undefined ? [] : [{ id, from, box: boxOf(node, size) }]
  })
  if (moved.length === 0) return null
  return (
    <ViewportLayer>
      <svg className="pl-links" aria-hidden>
        <defs>
          <marker id="pl-moved" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M1,1L7,4L1,7" className="pl-ghost-arrow" />
          </marker>
        </defs>
        {moved.map(({ id, from, box }) => (
          <g key={id}>
            <rect className="pl-ghost" x={from.x} y={from.y} width={box.width} height={box.height} rx={10} />
            <path className="pl-ghost-arrow" markerEnd="url(#pl-moved)" d={arrowTo(from, box)} />
          </g>
        ))}
      </svg>
    </ViewportLayer>
  )
}

const nodeTypes = { block: BlockNode }
// Created once: a new value per render would render every block again.
const PAN_BUTTONS = [1, 2]
const MORE_KEYS = ['Meta', 'Control', 'Shift']
const PRO_OPTIONS = { hideAttribution: true }

interface FlowCanvasProps {
  readonly state: CanvasState
  readonly label: string
  readonly readOnly: boolean
  /** Another moment than now: sunken, without colour but for differences. */
  readonly past?: boolean
  readonly tool?: 'select' | 'pan'
  readonly onDragging?: (drag: DragReport | undefined) => void
  readonly onDropped?: (places: ReadonlyMap<string, Point>) => void
  /** A block was dropped on a link. */
  readonly onParted?: (block: string, link: string, at: Point) => void
  readonly onPull?: (pull: LinkDrag | undefined) => void
  readonly onLink?: (pulled: OutputRef, to: string) => void
  /** An end of a link was dragged to another block. */
  readonly onRelink?: (link: LinkModel, end: LinkEndTarget) => void
  /** Adds a block within the chosen link. */
  readonly onInsert?: () => void
  /** The menu was asked for: on a block, a link, or the empty canvas. */
  readonly onMenu?: (asked: MenuPlace) => void
  readonly onEmpty?: (pulled: OutputRef, flow: Point, screen: Point) => void
  /** An output was pressed. */
  readonly onPort?: (output: OutputRef, screen: Point) => void
  readonly onPointer?: (at: Point | undefined, block?: string) => void
  /** A block was pressed twice: its text wants to be edited. */
  readonly onOpen?: (block: string) => void
  readonly onKeyDown?: (event: React.KeyboardEvent) => void
  readonly onDropBlock?: (type: string, at: Point) => void
  /** Layers that move with the flow or lie over it. */
  readonly children?: ReactNode
}

/** MIME type of a block type dragged from the palette. */
export const DRAGGED_TYPE = 'application/x-parley-block'

const allowBlock = (event: React.DragEvent) => {
  if (event.dataTransfer.types.includes(DRAGGED_TYPE)) event.preventDefault()
}

const Surface = (props: FlowCanvasProps) => {
  const { state, readOnly, past = false, tool = 'select', onPointer, onOpen, onDropBlock } = props
  const root = useRef<HTMLDivElement>(null)
  const { screenToFlowPosition, setCenter, getZoom } = useReactFlow()
  const [opening] = useState(
    () =>
      state.camera.at ??
      openingViewport(state.flow.get(), { width: innerWidth, height: innerHeight }, blockSizeOf(state)),
  )
  useVirtualizedBlocks(state, opening)
  const drag = useDrag(state, props)
  const { nodes, onNodesChange } = useCanvasNodes(state, drag.onDrag)
  const startPull = useLinkDrag(state, props)
  useZoomLevel(root, state)
  useMotionAttributes(root, state)
  useViewMotion(state)
  usePointer(root, onPointer)
  useMenuPress(root, props.onMenu)
  const dark = useIsDarkMode()
  const compact = useStoreValue(state.compact)

  const select = useCallback(
    (id: string, more: boolean) =>
      state.selection.set(before => ({
        blocks: more ? before.blocks : new Set(),
        links: more ? before.links.symmetricDifference(new Set([id])) : new Set([id]),
      })),
    [state],
  )
  const fly = useCallback(
    (id: string) => {
      const node = state.flow.get().nodes.get(id)
      if (node === undefined) return
      const { x, y } = centerOf({ ...boxOf(node, blockSizeOf(state)), ...state.positions.get(id) })
      void setCenter(x, y, {
        zoom: Math.max(getZoom(), 0.6),
        duration: ZOOM.duration,
      })
      state.selection.set({ blocks: new Set([id]), links: new Set() })
      state.focus.set(id)
    },
    [state, setCenter, getZoom],
  )
  const onNodeClick = useCallback((_event: unknown, node: { id: string }) => state.focus.set(node.id), [state])
  const onNodeDoubleClick = useCallback((_event: unknown, node: { id: string }) => onOpen?.(node.id), [onOpen])
  const onPaneClick = useCallback(
    () => state.selection.set(before => (before.blocks.size + before.links.size === 0 ? before : NOTHING)),
    [state],
  )
  const onMoveEnd = useCallback(
    (_event: unknown, viewport: Viewport) => {
      state.camera.at = viewport
    },
    [state],
  )
  const flowPoint = (event: { clientX: number; clientY: number }) =>
    screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false })

  return (
    <div
      ref={root}
      className="pl-canvas"
      role="application"
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys; its blocks may be out of view.
      tabIndex={0}
      data-readonly={readOnly || undefined}
      data-past={past || undefined}
      data-tool={tool}
      data-compact={compact || undefined}
      onKeyDown={props.onKeyDown}
      onPointerDownCapture={readOnly ? undefined : startPull}
      onDragOver={allowBlock}
      onDrop={event => {
        const type = event.dataTransfer.getData(DRAGGED_TYPE)
        if (type !== '') onDropBlock?.(type, flowPoint(event))
      }}
    >
      <ReactFlow
        nodes={nodes}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onNodeDragStart={drag.onNodeDragStart}
        onNodeDrag={drag.onNodeDrag}
        onNodeDragStop={drag.onNodeDragStop}
        onNodeClick={onNodeClick}
        onNodeDoubleClick={onNodeDoubleClick}
        onPaneClick={onPaneClick}
        defaultViewport={opening}
        onMoveEnd={onMoveEnd}
        minZoom={ZOOM.min}
        maxZoom={ZOOM.max}
        nodesDraggable={!readOnly}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable
        disableKeyboardA11y
        selectionOnDrag={tool === 'select'}
        selectionMode={SelectionMode.Partial}
        panOnDrag={tool === 'pan' || readOnly ? true : PAN_BUTTONS}
        panOnScroll
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        panActivationKeyCode={null}
        multiSelectionKeyCode={MORE_KEYS}
        elevateNodesOnSelect={false}
        nodeDragThreshold={2}
        colorMode={dark ? 'dark' : 'light'}
        proOptions={PRO_OPTIONS}
      >
        <Background variant={BackgroundVariant.Dots} gap={SIZE.grid} size={1.6} />
        <LinkLayer onSelect={select} onFly={fly} />
        <GhostLayer />
        <GuideLayer guides={drag.guides} />
        <LinkDragLayer />
        {props.onRelink === undefined ? null : <LinkEnds onMoved={props.onRelink} onInsert={props.onInsert} />}
        <PanPlaceholder />
        <PanShield />
        {props.children}
      </ReactFlow>
      <div ref={drag.shield} className="pl-shield" />
    </div>
  )
}

/** A flow on its canvas, from plain data: live editing, the history and previews draw with the same blocks and links. */
export const FlowCanvas = (props: FlowCanvasProps) => (
  <CanvasContext value={props.state}>
    <Surface {...props} />
  </CanvasContext>
)

export { ReactFlowProvider as CanvasProvider }

const way = ([x, y, zoom]: Transform, [fromX, fromY, fromZoom]: Transform): number =>
  zoom === fromZoom ? Math.hypot(x - fromX, y - fromY) : Number.POSITIVE_INFINITY

/** Tells the canvas how its view moves. */
const useViewMotion = ({ motion }: CanvasState): void => {
  const store = useStoreApi()
  useEffect(() => {
    let { transform } = store.getState()
    return store.subscribe(({ transform: now }) => {
      if (now === transform) return
      motion.moved(way(now, transform))
      transform = now
    })
  }, [store, motion])
}

/** While the view moves, what is drawn of the flow glides along as one picture; while it zooms, without dots. */
const useMotionAttributes = (root: RefObject<HTMLElement | null>, { motion }: CanvasState): void => {
  useEffect(() => {
    const { moving, zooming } = motion
    const stops = [
      moving.subscribe(() => root.current?.toggleAttribute('data-gliding', moving.get())),
      zooming.subscribe(() => root.current?.toggleAttribute('data-zooming', zooming.get())),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [root, motion])
}
