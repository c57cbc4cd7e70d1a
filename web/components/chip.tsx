import { chakra, type HTMLChakraProps } from '@chakra-ui/react'

interface Props extends HTMLChakraProps<'span'> {
  readonly tone?: 'neutral' | 'accent' | 'positive' | 'warning' | 'danger' | 'info'
}

/** A small rounded word with a meaning; put an icon or shape inside, colour is never alone. */
export const Chip = ({ tone = 'neutral', ...props }: Props) => (
  <chakra.span
    display="inline-flex"
    alignItems="center"
    gap="5px"
    h="22px"
    px="2"
    borderRadius="full"
    fontSize="xs"
    fontWeight="semibold"
    whiteSpace="nowrap"
    flex="none"
    {...(tone === 'neutral'
      ? { bg: 'bg.sunken', color: 'fg.muted' }
      : { colorPalette: tone, bg: 'colorPalette.subtle', color: 'colorPalette.fg' })}
    {...props}
  />
)
