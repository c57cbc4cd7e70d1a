import { folded } from '#domain/fold-text.ts'
import { BLOCK_CATEGORIES, type Block, type BlockCategory } from '#schemas/block.ts'
import { blocks } from '#schemas/blocks/registry.ts'
import type { Translate } from '../model/label.ts'
import { typeName } from '../model/look.ts'
import { usedBlocks } from '../model/used-blocks.ts'

export interface BlockGroup {
  /** `used`: suggested blocks, in any category. */
  readonly category: BlockCategory | 'used'
  readonly blocks: readonly Block[]
}

/** Searches of at most this many letters match beginnings of words only: most texts contain "se" or "if". */
const SHORT = 2

/**
 * Rank of a block in a search: 0 for its whole name, 1 for a synonym, 2 for a name that begins with it, 3 for any word
 * that begins with it, 4 for text within a word; undefined where nothing matches.
 */
export const searchRank = ({ type }: Pick<Block, 'type'>, search: string, t: Translate): number | undefined => {
  const wanted = folded(search.trim())
  const text = (key: string) => folded(t(`block:${key}.${type}`, { defaultValue: '' }))
  const name = folded(typeName(type, t))
  if (name === wanted || wanted === '') return 0
  const synonyms = text('synonym').split(' ')
  if (synonyms.includes(wanted)) return 1
  if (name.startsWith(wanted)) return 2
  const all = [name, type, synonyms.join(' '), text('description')].join(' ')
  if (` ${all}`.includes(` ${wanted}`)) return 3
  return wanted.length > SHORT && all.includes(wanted) ? 4 : undefined
}

/** The palette by category; a search looks at names in the person's language, types, synonyms and descriptions. */
export const blockGroups = (search: string, t: Translate): readonly BlockGroup[] =>
  BLOCK_CATEGORIES.map(category => ({
    category,
    blocks: Object.values<Block>(blocks).filter(
      block => block.category === category && searchRank(block, search, t) !== undefined,
    ),
  })).filter(group => group.blocks.length > 0)

/** Blocks of a search, the best match first. */
export const rankedBlocks = (search: string, t: Translate): readonly Block[] =>
  blockGroups(search, t)
    .flatMap(group => group.blocks)
    .map(block => ({ block, rank: searchRank(block, search, t) ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ block }) => block)

/** The group above the others while nothing is searched for. */
export const usedGroup = (): BlockGroup => ({
  category: 'used',
  blocks: usedBlocks().flatMap(type => Object.values<Block>(blocks).filter(block => block.type === type)),
})
