import { Box, HStack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Right of the title. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** One part of the page. */
export const Card = ({ title, beside, children }: Props) => (
  <Box as="section" aria-label={title} borderWidth="1px" borderRadius="lg" bg="bg.surface" minW="0" overflow="hidden">
    <HStack px="4" pt="3" pb="2" gap="2" flexWrap="wrap" justify="space-between">
      <Text as="h2" textStyle="card">
        {title}
      </Text>
      {beside}
    </HStack>
    {children}
  </Box>
)
