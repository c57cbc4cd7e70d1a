import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import { boxOf, isFrame } from '../model/block-appearance.ts'
import { type BlockSize, type Box, isJump, overlaps, type Point, portOffset } from '../model/geometry.ts'
import { isOtherwise, outputLabel, plainTitle, type Translate } from '../model/label.ts'

/** A link with all that drawing it takes, but where its ends are now. */
export interface PlannedLink {
  readonly link: LinkModel
  /** The port, from the block's left edge, the width of the other end, and the height of both. */
  readonly offset: number
  readonly targetWidth: number
  readonly height: number
  readonly label: string
  readonly color: string | undefined
  readonly jump: boolean
}

export interface JumpTag {
  readonly link: string
  readonly to: string
  /** Text of the port: its number, or the sign of the default output. */
  readonly mark: string
  readonly title: string
}

export interface LinkPlan {
  readonly links: ReadonlyMap<string, PlannedLink>
  /** Tags by the block they hang under, in the order of its ports. */
  readonly tags: ReadonlyMap<string, { readonly aside: boolean; readonly tags: readonly JumpTag[] }>
  /** The inputs of each planned link, the language, and the block size. */
  readonly parts: ReadonlyMap<string, Part>
  readonly t: Translate
  readonly size: BlockSize
}

interface Part {
  readonly from: NodeModel
  readonly to: NodeModel
  readonly tag: JumpTag | undefined
}

/** The colour that files write when nobody chose one. */
const DEFAULT_COLOR = '#3366ff'

const portOf = (node: NodeModel, connector: string): number =>
  Math.max(
    0,
    node.outputs.findIndex(output => output.id === connector),
  )

export const portPoint = (node: NodeModel, connector: string, at: Point, size: BlockSize): Point => ({
  x: at.x + portOffset(portOf(node, connector), Math.max(1, node.outputs.length), size),
  y: at.y + size.height,
})

const planLink = (link: LinkModel, from: NodeModel, to: NodeModel, t: Translate, size: BlockSize): PlannedLink => {
  // The option of a link that went may be gone as well.
  const index = from.outputs.findIndex(({ id }) => id === link.fromConnector)
  const output = from.outputs[index]
  const start = portPoint(from, link.fromConnector, from, size)
  const target = boxOf(to, size)
  const color = link.color?.toLowerCase()
  return {
    link,
    offset: start.x - from.x,
    targetWidth: target.width,
    height: size.height,
    label: output === undefined || from.outputs.length < 2 ? '' : outputLabel(from, output, index, t),
    color: color === DEFAULT_COLOR || color === undefined || !/^#[0-9a-f]{3,8}$/u.test(color) ? undefined : color,
    jump: isJump(start, target),
  }
}

const tagOf = (planned: PlannedLink, from: NodeModel, to: NodeModel, t: Translate): JumpTag => {
  const index = from.outputs.findIndex(({ id }) => id === planned.link.fromConnector)
  const output = from.outputs[index]
  const mark = output === undefined || from.outputs.length < 2 ? '' : isOtherwise(output) ? '↳' : String(index + 1)
  return { link: planned.link.id, to: to.id, mark, title: plainTitle(to, t) }
}

/** Blocks by horizontal strip of the flow, one block high: finds nearby blocks without a full scan. */
type Strips = ReadonlyMap<number, readonly Box[]>

const stripOf = (y: number, { height }: BlockSize) => Math.floor(y / height)

const stripsOf = (flow: FlowModel, size: BlockSize): Strips => {
  const strips = new Map<number, Box[]>()
  for (const node of flow.nodes.values()) {
    if (isFrame(node)) continue
    const box = boxOf(node, size)
    for (let strip = stripOf(box.y, size); strip <= stripOf(box.y + box.height, size); strip += 1) {
      const held = strips.get(strip)
      if (held === undefined) strips.set(strip, [box])
      else held.push(box)
    }
  }
  return strips
}

/** Tags under a block would overlap the next one when blocks are close, as in real flows. */
const hasBelow = (strips: Strips, node: NodeModel, size: BlockSize): boolean => {
  const box = boxOf(node, size)
  const below = { ...box, y: box.y + box.height, height: size.height / 2 }
  const near = [stripOf(below.y, size), stripOf(below.y + below.height, size)].flatMap(strip => strips.get(strip) ?? [])
  return near.some(other => overlaps(other, below))
}

const sameEnds = (before: PlannedLink | undefined, after: PlannedLink) =>
  before !== undefined &&
  before.link === after.link &&
  before.offset === after.offset &&
  before.targetWidth === after.targetWidth &&
  before.height === after.height &&
  before.label === after.label &&
  before.jump === after.jump

/**
 * Drawing plan of all links. Links unchanged since `before` keep their identity at almost no cost: each letter typed
 * into a block creates a new flow.
 */
export const planLinks = (flow: FlowModel, t: Translate, size: BlockSize, before?: LinkPlan): LinkPlan => {
  const known = before?.t === t && before.size === size ? before : undefined
  const links = new Map<string, PlannedLink>()
  const parts = new Map<string, Part>()
  const hanging = new Map<NodeModel, { down: boolean; tags: [number, JumpTag][] }>()
  for (const [id, link] of flow.links) {
    const from = flow.nodes.get(link.from)
    const to = flow.nodes.get(link.to)
    if (from === undefined || to === undefined) continue
    const old = before?.links.get(id)
    const part = known?.parts.get(id)
    const same = old !== undefined && part !== undefined && old.link === link && part.from === from && part.to === to
    const fresh = same ? old : planLink(link, from, to, t, size)
    const planned = old !== undefined && sameEnds(old, fresh) ? old : fresh
    const tag = !planned.jump ? undefined : same ? part.tag : tagOf(planned, from, to, t)
    links.set(id, planned)
    parts.set(id, same ? part : { from, to, tag })
    const under = hanging.get(from) ?? { down: false, tags: [] }
    if (tag === undefined) under.down = true
    else under.tags.push([planned.offset, tag])
    hanging.set(from, under)
  }
  const tags = new Map<string, { aside: boolean; tags: JumpTag[] }>()
  let strips: Strips | undefined
  for (const [from, under] of hanging) {
    if (under.tags.length === 0) continue
    const sorted = under.tags.sort(([a], [b]) => a - b).map(([, tag]) => tag)
    strips ??= stripsOf(flow, size)
    tags.set(from.id, { aside: under.down || hasBelow(strips, from, size), tags: sorted })
  }
  return { links, tags, parts, t, size }
}
