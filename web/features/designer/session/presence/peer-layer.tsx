import { useStore, useStoreApi } from '@xyflow/react'
import { memo, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlockSize, useCanvas } from '../../canvas/canvas-context.ts'
import { cursorToPoint } from '../../canvas/cursor-mapping.ts'
import { DraggedLink } from '../../canvas/link-drag-layer.tsx'
import { ViewportLayer } from '../../canvas/viewport-layer.tsx'
import { boxOf, type Cursor, type Peer } from '../../model/block-appearance.ts'
import type { Point } from '../../model/geometry.ts'
import { useStoreValue } from '../../model/store.ts'
import type { Peers } from '../room/peers.ts'
import { colorOf, personStyle } from './avatars.tsx'

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

const firstName = (name: string) => name.trim().split(/\s+/u)[0] ?? ''

interface RingProps {
  readonly block: string
  readonly peers: readonly Peer[]
  readonly carried: boolean
  /** Number of blocks the same person moves, shown on the first one only. */
  readonly moving: number
}

const translated = ({ x, y }: Point) => `translate(${x}px, ${y}px)`

const Ring = memo(({ block, peers, carried, moving }: RingProps) => {
  const { flow, positions } = useCanvas()
  const size = useBlockSize()
  const { t } = useTranslation('designer')
  const node = useStoreValue(flow, model => model.nodes.get(block))
  const ring = useRef<HTMLSpanElement>(null)
  const [first] = peers
  const isShown = node !== undefined && first !== undefined
  // Carried thirty times a second: it is moved, not rendered.
  useLayoutEffect(() => {
    const move = () => {
      if (ring.current !== null) ring.current.style.transform = translated(positions.get(block))
    }
    if (isShown) move()
    return positions.watch([block], move)
  }, [positions, block, isShown])
  if (!isShown) return null
  const { x, y, width, height } = boxOf(node, size)
  const names = peers.map(peer => firstName(peer.name)).join(', ')
  const style = { width, height, ...personStyle(first.color) }
  return (
    <>
      {carried ? <span className="pl-peer-ghost" style={{ ...style, transform: translated({ x, y }) }} /> : null}
      <span
        ref={ring}
        className="pl-ring"
        data-viewer={first.viewer || undefined}
        data-carried={carried || undefined}
        style={style}
      >
        {carried && moving === 0 ? null : <b>{carried ? t('people.moving', { name: names, count: moving }) : names}</b>}
      </span>
    </>
  )
})

/** Other people's selections as rings with their name, what they drag with its ghost, and the links they pull. */
export const PeerLayer = ({ peers }: { readonly peers: Peers }) => {
  const selections = useStoreValue(peers.selections)
  const carriers = useStoreValue(peers.carriers)
  const links = useStoreValue(peers.links)
  const zoom = useStore(state => Math.round(state.transform[2] * 20) / 20)
  const counts = new Map<Peer, number>()
  for (const peer of carriers.values()) counts.set(peer, (counts.get(peer) ?? 0) + 1)
  const told = new Set<Peer>()
  const moving = (carrier: Peer | undefined): number => {
    if (carrier === undefined || told.has(carrier)) return 0
    told.add(carrier)
    return counts.get(carrier) ?? 0
  }
  const blocks = new Set([...selections.keys(), ...carriers.keys()])
  return (
    <ViewportLayer>
      <div className="pl-people" style={{ '--screen': 1 / Math.max(zoom, 0.05) } as React.CSSProperties} aria-hidden>
        {[...blocks].map(block => {
          const carrier = carriers.get(block)
          const who = carrier === undefined ? (selections.get(block) ?? []) : [carrier]
          return <Ring key={block} block={block} peers={who} carried={carrier !== undefined} moving={moving(carrier)} />
        })}
        <svg className="pl-overlay" aria-hidden>
          {links.map(link => (
            <DraggedLink
              key={link.peer.client}
              from={link.from}
              connector={link.fromConnector}
              to={link}
              color={colorOf(link.peer.color)}
            />
          ))}
        </svg>
      </div>
    </ViewportLayer>
  )
}
