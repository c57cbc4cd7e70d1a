import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isFrame, type LinkMark, shapeOf, shapeSize } from '../model/block-appearance.ts'

export type Dropoff = AnswerOf<'GET /bot/{id}/dropoff'>
type Counts = Dropoff['blocks'][number]
type Day = Dropoff['days'][number]

/** Share of those who came, from which on a block stands out. */
const AMBER = 0.05
const RED = 0.1

type Tone = 'plain' | 'amber' | 'red'

/** Counts of a block; null: fewer than five, withheld. */
export interface BlockFunnel {
  readonly block: string
  readonly entered: number | null
  /** Exits while the conversation waited there. */
  readonly left: number | null
  readonly retried: number | null
  /** Share of those who entered, 0 to 1; undefined if a count is withheld or zero entered. */
  readonly leftShare: number | undefined
  readonly retriedShare: number | undefined
  readonly tone: Tone
  /** ms that half of those who answered took at most; null where nobody answered, or few. */
  readonly took: number | null
}

const shareOf = (part: number | null, whole: number | null): number | undefined =>
  part === null || whole === null || whole === 0 ? undefined : part / whole

const toneOf = (share = 0): Tone => (share >= RED ? 'red' : share >= AMBER ? 'amber' : 'plain')

const funnelOf = ({ block, entered, lost, retried, p50 }: Counts): BlockFunnel => {
  const leftShare = shareOf(lost, entered)
  const retriedShare = shareOf(retried, entered)
  return { block, entered, left: lost, retried, leftShare, retriedShare, tone: toneOf(leftShare), took: p50 }
}

export const funnelsOf = ({ blocks }: Dropoff): ReadonlyMap<string, BlockFunnel> =>
  new Map(blocks.map(counts => [counts.block, funnelOf(counts)]))

/** The blocks that people leave at, the most of them first. */
export const topDropoffBlocks = (funnels: ReadonlyMap<string, BlockFunnel>): readonly BlockFunnel[] =>
  [...funnels.values()].filter(({ left }) => (left ?? 0) > 0).sort((a, b) => (b.left ?? 0) - (a.left ?? 0))

/** Counts of a dialog's starts and ends. */
export const totalsOf = (blocks: Dropoff['blocks'], nodes: FlowModel['nodes']) => {
  const starts = blocks.filter(({ block }) => nodes.get(block)?.type === 'start')
  const entered = starts.reduce((sum, { entered: count }) => sum + (count ?? 0), 0)
  const lost = blocks.reduce((sum, counts) => sum + (counts.lost ?? 0) + (counts.abandoned ?? 0), 0)
  const waiting = blocks.reduce((sum, counts) => sum + (counts.waiting ?? 0), 0)
  const ended = Math.max(0, entered - lost - waiting)
  return { entered, ended, share: entered === 0 ? 0 : ended / entered }
}

/** The widest link. Flow pixels. */
const WIDEST = 16
const THINNEST = 1.5

/** Link widths: by the square root of the people on the link, so that a tenth of them is still visible. */
export const linkWidths = ({ links }: FlowModel, { blocks }: Dropoff): ReadonlyMap<string, LinkMark> => {
  const most = Math.max(1, ...blocks.flatMap(({ out }) => Object.values(out).map(count => count ?? 0)))
  const byBlock = new Map(blocks.map(({ block, out }) => [block, out]))
  return new Map(
    [...links].map(([id, { from, fromConnector }]): [string, LinkMark] => {
      const people = byBlock.get(from)?.[fromConnector] ?? 0
      const width = people === 0 ? THINNEST / 2 : Math.max(THINNEST, WIDEST * Math.sqrt(people / most))
      return [id, { kind: 'people', width: Math.round(width * 10) / 10 }]
    }),
  )
}

/** Room that rows are given for their strips. Flow pixels. */
const SPREAD = 20

const moved = (node: NodeModel, shiftAt: (y: number) => number): NodeModel => {
  const y = node.y + shiftAt(node.y)
  if (!isFrame(node)) return { ...node, y }
  // A frame still contains its blocks.
  const { height } = shapeSize(node)
  const grown = height + shiftAt(node.y + height) - shiftAt(node.y)
  return { ...node, y, properties: { ...node.properties, height: grown } }
}

/** A flow with its rows a little further apart: each block keeps its size and has room for a strip under it. */
export const spreadRows = (model: FlowModel, rowHeight: number): FlowModel => {
  const tops = [...model.nodes.values()].filter(node => shapeOf(node) === undefined).map(({ y }) => y)
  const rows: number[] = []
  for (const top of tops.sort((a, b) => a - b)) {
    const last = rows.at(-1)
    if (last === undefined || top - last >= rowHeight) rows.push(top)
  }
  const shiftAt = (y: number) => SPREAD * Math.max(0, rows.filter(row => row <= y).length - 1)
  return { ...model, nodes: new Map([...model.nodes].map(([id, node]) => [id, moved(node, shiftAt)])) }
}

/** The share that left at a block on each day of a period; undefined on days on which nobody came. */
export const trendOf = (
  days: readonly Day[],
  block: string,
  all: readonly string[],
): readonly (number | undefined)[] => {
  const byDay = new Map(days.filter(day => day.block === block).map(day => [day.day, day]))
  return all.map(day => {
    const found = byDay.get(day)
    return found === undefined ? undefined : shareOf(found.lost, found.entered)
  })
}

const DAY_MS = 86_400_000

/** All days of a period, `YYYY-MM-DD`, both ends included. */
export const daysBetween = (from: string, to: string): readonly string[] => {
  const first = Date.parse(`${from}T12:00:00Z`)
  const count = Math.max(0, Math.round((Date.parse(`${to}T12:00:00Z`) - first) / DAY_MS)) + 1
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10))
}
