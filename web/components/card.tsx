import { Box, HStack, Text } from '@chakra-ui/react'
import type { ReactNode } from 'react'

interface Props {
  readonly title: string
  /** Right of the title. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** One part of a page. */
export const Card = ({ title, beside, children }: Props) => (
  <Box
    as="section"
    aria-label={title}
    bg="bg.surface"
    borderWidth="1px"
    borderRadius="lg"
    overflow="hidden"
    display="flex"
    flexDirection="column"
    minW="0"
  >
    <HStack px="4" py="1.5" minH="46px" gap="3" rowGap="1" flexWrap="wrap">
      <Text as="h2" textStyle="card" flex="1">
        {title}
      </Text>
      {beside}
    </HStack>
    {children}
  </Box>
)
