import { CATEGORIES } from 'virtual:block-category'
import { Box, chakra } from '@chakra-ui/react'

interface Props {
  /** [x, y, block type] of each block. */
  readonly blocks: readonly (readonly [x: number, y: number, type: string])[]
  readonly height?: number
}

const WIDTH = 240
const HEIGHT = 72
const PAD = 120

/** A flow from far away: where its blocks are and of what kind. */
export const FlowMiniature = ({ blocks, height = 142 }: Props) => {
  const xs = blocks.map(([x]) => x)
  const ys = blocks.map(([, y]) => y)
  const left = Math.min(...xs, 0) - PAD
  const top = Math.min(...ys, 0) - PAD
  const width = Math.max(...xs, 0) + WIDTH + PAD - left
  const tall = Math.max(...ys, 0) + HEIGHT + PAD - top
  return (
    <Box
      aria-hidden="true"
      bg="canvas.bg"
      overflow="hidden"
      display="grid"
      placeItems="center"
      backgroundImage={blocks.length === 0 ? 'radial-gradient({colors.canvas.dot} 1px, transparent 1px)' : undefined}
      backgroundSize="8px 8px"
      style={{ height }}
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
