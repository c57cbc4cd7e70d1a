import { Box, HStack, Text } from '@chakra-ui/react'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

interface Props {
  readonly text: string | undefined
  /** The single faults, below it. */
  readonly children?: ReactNode
}

/** Error message, above the pressed button. */
export const ErrorLine = ({ text, children }: Props) =>
  text === undefined ? null : (
    <HStack
      role="alert"
      gap="2.5"
      px="3"
      py="2"
      bg="danger.subtle"
      color="danger.fg"
      borderRadius="md"
      align="flex-start"
    >
      <CircleAlert size={16} aria-hidden="true" style={{ flex: 'none', marginTop: 2 }} />
      <Box minW="0">
        <Text textStyle="dense">{text}</Text>
        {children}
      </Box>
    </HStack>
  )
