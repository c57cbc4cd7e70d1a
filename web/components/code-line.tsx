import { chakra, type HTMLChakraProps } from '@chakra-ui/react'

/** Name of a variable within words. */
export const VariableCode = ({ name, ...props }: HTMLChakraProps<'code'> & { readonly name: string }) => (
  <chakra.code textStyle="code" bg="accent.subtle" color="accent.fg" px="1.5" borderRadius="xs" {...props}>
    {`{{${name}}}`}
  </chakra.code>
)

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
