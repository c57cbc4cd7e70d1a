import {
  Background,
  BackgroundVariant,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  type Viewport,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import './canvas.css'
import './link.css'
import './diff.css'
import './level.css'
import './compact.css'
import './virtualization/view-motion.css'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import type { LinkModel } from '#domain/flow/document/model.ts'
import { centerOf, type Point, SIZE } from '../model/geometry.ts'
import { boxOf } from '../model/look.ts'
import { useStoreValue } from '../model/store.ts'
import { BlockNode } from './block-node.tsx'
import { blockSizeOf, CanvasContext, type CanvasState, NOTHING, type Pull } from './canvas-context.ts'
import { GuideLayer, PullLayer } from './connect-drag-layer.tsx'
import { GhostLayer } from './ghost-layer.tsx'
import { LinkEnds } from './link-ends.tsx'
import { LinkLayer } from './link-layer.tsx'
import { openingViewport } from './opening-viewport.ts'
import { useCanvasNodes } from './use-canvas-nodes.ts'
import { type MovedEnd, type Pulled, usePull } from './use-connect-drag.ts'
import { useDark } from './use-dark.ts'
import { type DragReport, useDrag } from './use-drag.ts'
import { type MenuPlace, useMenuPress } from './use-menu-press.ts'
import { usePointer } from './use-pointer.ts'
import { useZoomLevel } from './use-zoom-level.ts'
import { PassingLayer } from './virtualization/pan-placeholder.tsx'
import { Veil } from './virtualization/pan-shield.tsx'
import { useDrawn } from './virtualization/use-drawn-blocks.ts'
import { useGlide } from './virtualization/use-glide.ts'
import { useMotion } from './virtualization/use-view-motion.ts'
import { ZOOM } from './zoom.ts'

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
  readonly onPull?: (pull: Pull | undefined) => void
  readonly onLink?: (pulled: Pulled, to: string) => void
  /** An end of a link was dragged to another block. */
  readonly onRelink?: (link: LinkModel, end: MovedEnd) => void
  /** The menu was asked for: on a block, a link, or the empty canvas. */
  readonly onMenu?: (asked: MenuPlace) => void
  readonly onEmpty?: (pulled: Pulled, flow: Point, screen: Point) => void
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
  useDrawn(state, opening)
  const drag = useDrag(state, props)
  const { nodes, onNodesChange } = useCanvasNodes(state, drag.onDrag)
  const startPull = usePull(state, props)
  useZoomLevel(root, state)
  useGlide(root, state)
  useMotion(state)
  usePointer(root, onPointer)
  useMenuPress(root, props.onMenu)
  const dark = useDark()
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
        <PullLayer />
        {props.onRelink === undefined ? null : <LinkEnds onMoved={props.onRelink} />}
        <PassingLayer />
        <Veil />
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
