import { HStack, Text } from '@chakra-ui/react'
import { CircleAlert } from 'lucide-react'

/** What went wrong, above the button that was pressed. */
export const ErrorLine = ({ text }: { readonly text: string | undefined }) =>
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
      <Text textStyle="dense">{text}</Text>
    </HStack>
  )
