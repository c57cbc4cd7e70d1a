import { Box, Flex, HStack, Skeleton, Stack } from '@chakra-ui/react'
import { useElapsed } from '#web/timer.ts'

const LATE = 200

/** True after 200 ms: faster loads show no skeleton. */
export const useSkeletonDelay = (): boolean => useElapsed(LATE)

export const RowsSkeleton = ({ rows = 8 }: { readonly rows?: number }) => {
  const late = useSkeletonDelay()
  if (!late) return <Box minH="200px" />
  return (
    <Stack gap="0" borderWidth="1px" borderRadius="lg" overflow="hidden" bg="bg.surface" aria-busy="true">
      <Box h="36px" bg="bg" borderBottomWidth="1px" />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars without identity
        <HStack key={row} h="60px" px="3" gap="4" borderBottomWidth={row === rows - 1 ? '0' : '1px'}>
          <Skeleton boxSize="34px" borderRadius="md" />
          <Skeleton h="12px" style={{ width: `${28 + ((row * 17) % 22)}%` }} />
          <Box flex="1" />
          <Skeleton h="18px" w="64px" borderRadius="full" />
          <Skeleton h="12px" w="90px" />
        </HStack>
      ))}
    </Stack>
  )
}

/** The likely layout of a page while its code or data come. */
export const PageSkeleton = () => {
  const late = useSkeletonDelay()
  if (!late) return null
  return (
    <Stack p={{ base: '3', md: '4', lg: '6' }} gap="4">
      <Skeleton h="12px" w="120px" />
      <Skeleton h="24px" w="220px" />
      <RowsSkeleton />
    </Stack>
  )
}

/** Size of a block in the comfortable view, CSS pixels. */
const BLOCK = { w: '240px', h: '72px' }

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7, 8]

/** The frame of the designer while its flow comes; nothing in the first 200 ms. */
export const DesignerSkeleton = () => {
  const late = useSkeletonDelay()
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
