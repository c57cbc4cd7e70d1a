import { chakra, type HTMLChakraProps, Text } from '@chakra-ui/react'
import { type LucideIcon, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props extends HTMLChakraProps<'span'> {
  readonly tone?: 'neutral' | 'accent' | 'positive' | 'warning' | 'danger' | 'info'
  readonly icon?: LucideIcon
}

/** A small rounded word with a meaning; give it an icon or put a shape inside, colour is never alone. */
export const Chip = ({ tone = 'neutral', icon: Icon, children, ...props }: Props) => (
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
  >
    {Icon === undefined ? null : <Icon size={12} aria-hidden="true" />}
    {children}
  </chakra.span>
)

interface RemovableChipProps {
  /** Name for the button that takes it away, where it is known. */
  readonly name?: string
  readonly disabled: boolean
  readonly children: ReactNode
  onRemove(): void
}

/** One of several values, with the way to take it away. */
export const RemovableChip = ({ name, disabled, children, onRemove }: RemovableChipProps) => {
  const { t } = useTranslation('shell')
  return (
    <Chip fontWeight="normal" {...(disabled ? {} : { pe: '1' })} maxW="100%">
      <Text as="span" truncate>
        {children}
      </Text>
      {disabled ? null : (
        <chakra.button
          type="button"
          aria-label={name === undefined ? t('remove') : `${t('remove')} ${name}`}
          cursor="pointer"
          p="0.5"
          borderRadius="full"
          focusVisibleRing="outside"
          onClick={onRemove}
        >
          <X size={12} aria-hidden="true" />
        </chakra.button>
      )}
    </Chip>
  )
}
