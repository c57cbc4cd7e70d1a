import { chakra, type HTMLChakraProps } from '@chakra-ui/react'

/** A line of code or an address as one block, to be read and copied. */
export const CodeLine = (props: HTMLChakraProps<'code'>) => (
  <chakra.code
    display="block"
    textStyle="secondary"
    fontFamily="mono"
    bg="bg.subtle"
    borderRadius="md"
    p="2"
    wordBreak="break-all"
    {...props}
  />
)
