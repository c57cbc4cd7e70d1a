import { folded } from '#domain/fold-text.ts'
import { BLOCK_CATEGORIES, type Block, type BlockCategory } from '#schemas/block.ts'
import { blocks } from '#schemas/blocks/registry.ts'
import type { Translate } from '../model/label.ts'
import { typeName } from '../model/look.ts'
import { usedBlocks } from '../model/used-blocks.ts'

export interface BlockGroup {
  /** `used`: what is offered first, whatever its category. */
  readonly category: BlockCategory | 'used'
  readonly blocks: readonly Block[]
}

/** The palette by category; a search looks at names in the person's language, types and descriptions. */
export const blockGroups = (search: string, t: Translate): readonly BlockGroup[] => {
  const wanted = folded(search.trim())
  const fits = (block: Block) =>
    wanted === '' ||
    folded(
      `${typeName(block.type, t)} ${block.type} ${t(`block:description.${block.type}`, { defaultValue: '' })}`,
    ).includes(wanted)
  return BLOCK_CATEGORIES.map(category => ({
    category,
    blocks: Object.values<Block>(blocks).filter(block => block.category === category && fits(block)),
  })).filter(group => group.blocks.length > 0)
}

/** The group above the others while nothing is searched for. */
export const usedGroup = (): BlockGroup => ({
  category: 'used',
  blocks: usedBlocks().flatMap(type => Object.values<Block>(blocks).filter(block => block.type === type)),
})
