import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useCanvas } from '../../canvas/canvas-context.ts'
import { cursorToPoint } from '../../canvas/cursor-mapping.ts'
import type { Cursor, Peer } from '../../model/block-appearance.ts'
import type { Point } from '../../model/geometry.ts'
import { useStoreValue } from '../../model/store.ts'
import type { Peers } from '../room/peers.ts'
import { personStyle } from './avatars.tsx'

/** The time a remote cursor takes to its newest place. */
const GLIDE = 60
/** After this a cursor that rests fades. */
const IDLE = 60_000

interface Glide {
  readonly from: Point
  readonly to: Point
  readonly start: number
}

const placeOf = ({ from, to, start }: Glide, now: number): Point => {
  const part = Math.min(1, (now - start) / GLIDE)
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

/** Others' pointers with their names, at screen size. They move outside of React: a pointer renders nothing. */
export const Cursors = ({ peers }: { readonly peers: Peers }) => {
  const people = useStoreValue(peers.people)
  const flow = useStoreApi()
  const canvas = useCanvas()
  const layer = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const glides = new Map<number, Glide>()
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    let frame = 0
    const draw = (now: number) => {
      frame = 0
      const [x, y, zoom] = flow.getState().transform
      let moving = false
      for (const element of layer.current?.children ?? []) {
        if (!(element instanceof HTMLElement)) continue
        const glide = glides.get(Number(element.dataset.client))
        if (element.hidden !== (glide === undefined)) element.hidden = glide === undefined
        if (glide === undefined) continue
        const at = placeOf(glide, now)
        element.style.transform = `translate(${at.x * zoom + x}px, ${at.y * zoom + y}px)`
        const idle = String(now - glide.start > IDLE)
        if (element.dataset.idle !== idle) element.dataset.idle = idle
        moving ||= now - glide.start < GLIDE
      }
      if (moving) ask()
    }
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    const onCursor = ({ client }: Peer, cursor: Cursor | undefined) => {
      const at = cursor && cursorToPoint(canvas, cursor)
      const before = glides.get(client)
      const now = performance.now()
      if (at === undefined) glides.delete(client)
      else glides.set(client, { from: before === undefined || still ? at : placeOf(before, now), to: at, start: now })
      ask()
    }
    const stops = [peers.onCursor(onCursor), flow.subscribe(ask), peers.people.subscribe(() => setTimeout(ask))]
    const idle = setInterval(ask, IDLE / 4)
    return () => {
      cancelAnimationFrame(frame)
      clearInterval(idle)
      for (const stop of stops) stop()
    }
  }, [peers, flow, canvas])

  return (
    <div ref={layer} className="pl-cursors" aria-hidden>
      {people.map(({ client, name, color }) => (
        <span key={client} className="pl-cursor" data-client={client} hidden style={personStyle(color)}>
          <svg aria-hidden width="20" height="22" viewBox="0 0 20 22">
            <path d="M2 1.5 17.5 11l-7 1.6L7 19.5z" stroke="var(--c-surface)" strokeWidth="1.5" />
          </svg>
          <b>{name}</b>
        </span>
      ))}
    </div>
  )
}
