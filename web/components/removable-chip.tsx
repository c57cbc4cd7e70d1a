import { chakra, Text } from '@chakra-ui/react'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from './chip.tsx'

interface Props {
  /** Name for the button that takes it away, where it is known. */
  readonly name?: string
  readonly disabled: boolean
  readonly children: ReactNode
  onRemove(): void
}

/** One of several values, with the way to take it away. */
export const RemovableChip = ({ name, disabled, children, onRemove }: Props) => {
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
