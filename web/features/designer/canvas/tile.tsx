import { categoryOf, iconOf } from '../model/block-appearance.ts'
import { BlockIcon } from './icon.tsx'

/** A block's icon on its category's colour and shape: circle, bubble, square, hexagon, stacked cards. */
export const Tile = ({ type, size = 30 }: { readonly type: string; readonly size?: 22 | 30 | 36 }) => (
  <span className="pl-tile" data-category={categoryOf(type)} data-size={size}>
    <BlockIcon name={iconOf(type)} size={size === 22 ? 14 : size === 36 ? 20 : 17} />
  </span>
)
