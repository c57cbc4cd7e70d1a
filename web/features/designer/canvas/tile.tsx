import { ICONS } from 'virtual:icon/../schemas/blocks/*.ts'
import { Puzzle } from 'lucide-react'
import { categoryOf, iconOf } from '../model/block-appearance.ts'

/** The icon that a block's declaration names, 17 px in a tile. */
export const BlockIcon = ({ name, size = 17 }: { readonly name: string; readonly size?: number }) => {
  const Icon = ICONS[name] ?? Puzzle
  // Icons keep within their box: without a clip for each of them, the browser has less to arrange.
  return <Icon size={size} strokeWidth={1.75} overflow="visible" aria-hidden />
}

/** A block's icon on its category's colour and shape: circle, bubble, square, hexagon, stacked cards. */
export const Tile = ({ type, size = 30 }: { readonly type: string; readonly size?: 22 | 30 | 36 }) => (
  <span className="pl-tile" data-category={categoryOf(type)} data-size={size}>
    <BlockIcon name={iconOf(type)} size={size === 22 ? 14 : size === 36 ? 20 : 17} />
  </span>
)
