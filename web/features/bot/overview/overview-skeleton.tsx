import { Skeleton, Stack } from '@chakra-ui/react'

export const OverviewSkeleton = () => (
  <Stack gap="4" mb="6" aria-hidden="true">
    <Skeleton h="96px" borderRadius="lg" />
    <Skeleton h="300px" borderRadius="lg" />
  </Stack>
)
