import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/model.ts'
import { isOtherwise, outputWords, plainTitle, type Translate } from '../model/label.ts'
import { boxOf } from '../model/look.ts'
import { isJump, overlaps, type Point, portOffset, SIZE } from './geometry.ts'

/** A link with all that drawing it takes, but where its ends are now. */
export interface PlannedLink {
  readonly link: LinkModel
  /** The port, from the block's left edge, and the widths of both ends. */
  readonly offset: number
  readonly targetWidth: number
  readonly label: string
  readonly color: string | undefined
  readonly jump: boolean
}

export interface JumpTag {
  readonly link: string
  readonly to: string
  /** What the port shows: its number, or the sign of the otherwise way. */
  readonly mark: string
  readonly title: string
}

export interface LinkPlan {
  readonly links: ReadonlyMap<string, PlannedLink>
  /** Tags by the block they hang under, in the order of its ports. */
  readonly tags: ReadonlyMap<string, { readonly aside: boolean; readonly tags: readonly JumpTag[] }>
}

/** The colour that files write when nobody chose one. */
const DEFAULT_COLOR = '#3366ff'

const portOf = (node: NodeModel, connector: string): number =>
  Math.max(
    0,
    node.outputs.findIndex(output => output.id === connector),
  )

export const portPoint = (node: NodeModel, connector: string, at: Point): Point => ({
  x: at.x + portOffset(portOf(node, connector), Math.max(1, node.outputs.length)),
  y: at.y + SIZE.height,
})

const planLink = (link: LinkModel, from: NodeModel, to: NodeModel, t: Translate): PlannedLink => {
  const index = portOf(from, link.fromConnector)
  const output = from.outputs[index]
  const start = portPoint(from, link.fromConnector, from)
  const target = boxOf(to)
  const color = link.color?.toLowerCase()
  return {
    link,
    offset: start.x - from.x,
    targetWidth: target.width,
    label: output === undefined || from.outputs.length < 2 ? '' : outputWords(from, output, index, t),
    color: color === DEFAULT_COLOR || color === undefined || !/^#[0-9a-f]{3,8}$/u.test(color) ? undefined : color,
    jump: isJump(start, target),
  }
}

const tagOf = (planned: PlannedLink, from: NodeModel, to: NodeModel, t: Translate): JumpTag => {
  const index = portOf(from, planned.link.fromConnector)
  const output = from.outputs[index]
  const mark = output === undefined || from.outputs.length < 2 ? '' : isOtherwise(output) ? '↳' : String(index + 1)
  return { link: planned.link.id, to: to.id, mark, title: plainTitle(to, t) }
}

/** Tags under a block would lie on the next one where blocks stand close, as they do in real flows. */
const hasBelow = (flow: FlowModel, id: string): boolean => {
  const node = flow.nodes.get(id)
  if (node === undefined) return false
  const box = boxOf(node)
  const strip = { ...box, y: box.y + box.height, height: SIZE.height / 2 }
  for (const other of flow.nodes.values()) if (other !== node && overlaps(boxOf(other), strip)) return true
  return false
}

const sameEnds = (before: PlannedLink | undefined, after: PlannedLink) =>
  before !== undefined &&
  before.link === after.link &&
  before.offset === after.offset &&
  before.targetWidth === after.targetWidth &&
  before.label === after.label &&
  before.jump === after.jump

/** How all links of a flow are drawn; what did not change since `before` keeps its identity. */
export const planLinks = (flow: FlowModel, t: Translate, before?: LinkPlan): LinkPlan => {
  const links = new Map<string, PlannedLink>()
  const hanging = new Map<string, { down: boolean; tags: [number, JumpTag][] }>()
  for (const [id, link] of flow.links) {
    const from = flow.nodes.get(link.from)
    const to = flow.nodes.get(link.to)
    if (from === undefined || to === undefined) continue
    const fresh = planLink(link, from, to, t)
    const old = before?.links.get(id)
    const planned = old !== undefined && sameEnds(old, fresh) ? old : fresh
    links.set(id, planned)
    const under = hanging.get(from.id) ?? { down: false, tags: [] }
    if (planned.jump) under.tags.push([planned.offset, tagOf(planned, from, to, t)])
    else under.down = true
    hanging.set(from.id, under)
  }
  const tags = new Map<string, { aside: boolean; tags: JumpTag[] }>()
  for (const [id, under] of hanging) {
    if (under.tags.length === 0) continue
    const sorted = under.tags.sort(([a], [b]) => a - b).map(([, tag]) => tag)
    tags.set(id, { aside: under.down || hasBelow(flow, id), tags: sorted })
  }
  return { links, tags }
}
