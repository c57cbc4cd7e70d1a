import type { Place } from '#domain/expression/place.ts'
import type { FlowHit } from '#schemas/api/flow-text.ts'
import type { BlockText } from './block-text.ts'

/** Characters shown before and after what was found. */
const AROUND = 60

/** A block as search results describe it. */
export type HitBlock = Pick<FlowHit, 'block' | 'type' | 'title' | 'section'>

/** A match at a place of one of a block's texts, with the words around it. */
export const hitAt = (block: HitBlock, text: BlockText, place: Place, part: FlowHit['part']): FlowHit => {
  const { offset, length } = place
  const end = offset + length
  return {
    ...block,
    field: text.field,
    path: [...text.path],
    ...(text.at === undefined ? {} : { at: text.at }),
    offset,
    length,
    part,
    // A cut may fall within a character.
    before: text.text.slice(Math.max(0, offset - AROUND), offset).toWellFormed(),
    text: text.text.slice(offset, end),
    after: text.text.slice(end, end + AROUND).toWellFormed(),
  }
}
