import { Box, HStack, Skeleton, Stack } from '@chakra-ui/react'
import { useElapsed } from '#web/use-elapsed.ts'

const LATE = 200

/** True after 200 ms: faster loads show no skeleton. */
export const useLate = (): boolean => useElapsed(LATE)

export const RowsSkeleton = ({ rows = 8 }: { readonly rows?: number }) => {
  const late = useLate()
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
  const late = useLate()
  if (!late) return null
  return (
    <Stack p={{ base: '3', md: '4', lg: '6' }} gap="4">
      <Skeleton h="12px" w="120px" />
      <Skeleton h="24px" w="220px" />
      <RowsSkeleton />
    </Stack>
  )
}
