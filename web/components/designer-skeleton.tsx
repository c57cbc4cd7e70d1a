import { Box, Flex } from '@chakra-ui/react'
import { useLate } from '#web/components/page-skeleton.tsx'

/** Size of a block in the comfortable view, CSS pixels. */
const BLOCK = { w: '240px', h: '72px' }

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** The frame of the designer while its flow comes; nothing in the first 200 ms. */
export const DesignerSkeleton = () => {
  const late = useLate()
  if (!late) return null
  return (
    <Flex direction="column" flex="1" aria-hidden>
      <Box h="52px" bg="bg.surface" borderBottomWidth="1px" />
      <Flex flex="1">
        <Box w="palette" bg="bg.surface" borderRightWidth="1px" p="4" hideBelow="md">
          {ROWS.map(row => (
            <Box key={row} h="5" mb="3" borderRadius="md" bg="bg.sunken" />
          ))}
        </Box>
        <Box flex="1" bg="canvas.bg" p="12">
          {ROWS.slice(0, 4).map(row => (
            <Box key={row} {...BLOCK} mb="5" borderRadius="lg" bg="bg.surface" borderWidth="1px" />
          ))}
        </Box>
      </Flex>
    </Flex>
  )
}
