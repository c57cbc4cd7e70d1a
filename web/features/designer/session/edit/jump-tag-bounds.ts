import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import type { Placed } from '../../canvas/free-place.ts'
import { portPoint } from '../../canvas/link-plan.ts'
import { COMFORTABLE, isJump } from '../../model/geometry.ts'
import { boxOf } from '../../model/look.ts'

/** Typical tag size, and the first tag's offset from its block. Flow pixels. */
const TAG = { right: 12, down: 10, width: 120, height: 26 }

/** Space right of blocks for the tags of their far links: placed blocks do not cover it. */
export const tagRoom = ({ nodes, links }: FlowModel): readonly Placed[] => {
  const counts = new Map<NodeModel, number>()
  for (const { from, fromConnector, to } of links.values()) {
    const source = nodes.get(from)
    const target = nodes.get(to)
    if (source === undefined || target === undefined) continue
    if (!isJump(portPoint(source, fromConnector, source, COMFORTABLE), boxOf(target, COMFORTABLE))) continue
    counts.set(source, (counts.get(source) ?? 0) + 1)
  }
  return [...counts].map(([source, count]) => {
    const { x, y, width } = boxOf(source, COMFORTABLE)
    return {
      isFrame: false,
      box: { x: x + width + TAG.right, y: y + TAG.down, width: TAG.width, height: count * TAG.height },
    }
  })
}
