import { useReactFlow } from '@xyflow/react'
import { type PointerEvent, useRef } from 'react'
import { SIZE, type Size } from '../model/geometry.ts'

const SMALLEST = { width: 120, height: 60 } as const

const onGrid = (value: number, smallest: number) => Math.max(smallest, Math.round(value / SIZE.grid) * SIZE.grid)

interface ResizeHandleProps {
  readonly size: Size
  /** Called during a resize, with undefined at its end. */
  readonly onPull: (size: Size | undefined) => void
  readonly onResize: (size: Size) => void
}

/** The lower right corner of a sheet or frame; by key, its size is in the inspector. */
export const ResizeHandle = ({ size, onPull, onResize }: ResizeHandleProps) => {
  const { getZoom } = useReactFlow()
  const from = useRef<{ readonly x: number; readonly y: number; now: Size } | undefined>(undefined)
  const down = (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, y: event.clientY, now: size }
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    const start = from.current
    if (start === undefined) return
    start.now = {
      width: onGrid(size.width + (clientX - start.x) / getZoom(), SMALLEST.width),
      height: onGrid(size.height + (clientY - start.y) / getZoom(), SMALLEST.height),
    }
    onPull(start.now)
  }
  const up = () => {
    const pulled = from.current?.now
    from.current = undefined
    onPull(undefined)
    if (pulled !== undefined && (pulled.width !== size.width || pulled.height !== size.height)) onResize(pulled)
  }
  return (
    <span
      className="pl-resize nodrag nopan"
      aria-hidden
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
    />
  )
}
