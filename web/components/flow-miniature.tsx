import { CATEGORIES } from 'virtual:block-category'
import { Box, chakra } from '@chakra-ui/react'

interface Props {
  /** [x, y, block type] of each block. */
  readonly blocks: readonly (readonly [x: number, y: number, type: string])[]
}

const WIDTH = 240
const HEIGHT = 72
const PAD = 120
const LEAST_WIDTH = 1400
const LEAST_HEIGHT = 820

/** Start and length of the drawing on one axis; few blocks are centered in the minimum length. */
const span = (places: readonly number[], size: number, least: number): readonly [number, number] => {
  if (places.length === 0) return [0, least]
  const first = Math.min(...places) - PAD
  const length = Math.max(...places) + size + PAD - first
  return length >= least ? [first, length] : [first - (least - length) / 2, least]
}

/** Miniature of a flow: position and kind of each block. */
export const FlowMiniature = ({ blocks }: Props) => {
  const [left, width] = span(
    blocks.map(([x]) => x),
    WIDTH,
    LEAST_WIDTH,
  )
  const [top, tall] = span(
    blocks.map(([, y]) => y),
    HEIGHT,
    LEAST_HEIGHT,
  )
  return (
    <Box
      aria-hidden="true"
      bg="canvas.bg"
      overflow="hidden"
      display="grid"
      placeItems="center"
      backgroundImage={blocks.length === 0 ? 'radial-gradient({colors.canvas.dot} 1px, transparent 1px)' : undefined}
      backgroundSize="8px 8px"
      h="142px"
    >
      {blocks.length > 0 ? (
        <chakra.svg
          viewBox={`${left} ${top} ${width} ${tall}`}
          w="100%"
          h="100%"
          p="2.5"
          preserveAspectRatio="xMidYMid meet"
        >
          {blocks.map(([x, y, type], at) => (
            <chakra.rect
              // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id here
              key={at}
              x={x}
              y={y}
              width={WIDTH}
              height={HEIGHT}
              rx="14"
              fill={CATEGORIES[type] ? `category.${CATEGORIES[type]}.solid` : 'fg.subtle'}
            />
          ))}
        </chakra.svg>
      ) : null}
    </Box>
  )
}
