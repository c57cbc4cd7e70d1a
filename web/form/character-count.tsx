import { HStack } from '@chakra-ui/react'
import { CircleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { numberText } from '#web/format/number.ts'

interface Props {
  readonly value: unknown
  /** Characters that are wanted at most. */
  readonly max: number
}

/** Number of characters in a text and the maximum, in code points after NFC. */
export const CharacterCount = ({ value, max }: Props) => {
  const { t } = useTranslation('shell')
  const used = typeof value === 'string' ? [...value.normalize('NFC')].length : 0
  const isOver = used > max
  return (
    <HStack
      as="span"
      gap="1"
      flex="none"
      textStyle="secondary"
      fontWeight={isOver ? 'semibold' : 'normal'}
      color={isOver ? 'danger.fg' : 'fg.subtle'}
      fontVariantNumeric="tabular-nums"
      {...(isOver ? { title: t('form.toolong', { count: used - max }) } : {})}
    >
      {isOver ? <CircleAlert size={12} aria-hidden="true" /> : null}
      {`${numberText(used)}/${numberText(max)}`}
    </HStack>
  )
}
