import { Box, Flex, HStack, Skeleton } from '@chakra-ui/react'
import { EnvironmentBar } from '#web/components/environment-bar.tsx'
import { DesignerSkeleton, PageSkeleton, useSkeletonDelay } from '#web/components/page-skeleton.tsx'
import { PageLoadingNotice } from './page-loading-notice.tsx'

const ENTRIES = ['72%', '54%', '80%', '62%', '48%']

const Frame = () => (
  <>
    <HStack flex="none" h="52px" px="4" gap="3" bg="bg.surface" borderBottomWidth="1px">
      <Skeleton boxSize="24px" borderRadius="md" />
      <Skeleton h="12px" w="64px" />
      <Box flex="1" />
      <Skeleton boxSize="28px" borderRadius="full" />
    </HStack>
    <Flex flex="1" minH="0">
      <Box w="drawer" flex="none" borderRightWidth="1px" p="4" hideBelow="lg">
        {ENTRIES.map(width => (
          <Skeleton key={width} h="12px" mb="5" style={{ width }} />
        ))}
      </Box>
      <Box flex="1" minW="0">
        <PageSkeleton />
      </Box>
    </Flex>
  </>
)

/** The shell's likely layout while the session and the first page's code come. */
export const ShellSkeleton = ({ bare = false }: { readonly bare?: boolean }) => {
  const late = useSkeletonDelay()
  return (
    <Flex direction="column" h="100dvh" overflow="hidden" aria-busy="true">
      <EnvironmentBar />
      <PageLoadingNotice />
      {bare ? <DesignerSkeleton /> : late ? <Frame /> : null}
    </Flex>
  )
}
