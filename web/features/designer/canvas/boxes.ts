import type { FlowModel } from '#domain/flow/document/model.ts'
import type { BlockSize, Box } from '../model/geometry.ts'
import { sizeOf } from '../model/look.ts'
import type { Store } from '../model/store.ts'
import type { Positions } from './positions.ts'

/** Current box of every block, recomputed only after a move, addition, removal or resize. */
export const createBoxes = (flow: Store<FlowModel>, positions: Positions, size: () => BlockSize) => {
  let held: { readonly nodes: FlowModel['nodes']; readonly size: BlockSize } | undefined
  let boxes: ReadonlyMap<string, Box> = new Map()
  positions.onMoved(() => {
    held = undefined
  })
  return (): ReadonlyMap<string, Box> => {
    const now = { nodes: flow.get().nodes, size: size() }
    if (held?.nodes === now.nodes && held.size === now.size) return boxes
    held = now
    boxes = new Map([...now.nodes].map(([id, node]) => [id, { ...positions.get(id), ...sizeOf(node, now.size) }]))
    return boxes
  }
}
