import { Box, HStack, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'

interface Props {
  readonly label: string
  readonly value: string
  /** Difference to another model, as it is written, and whether it is good. */
  readonly change?: number | undefined
  /** Digits after the comma of the difference. */
  readonly as?: 'figure' | 'percent'
  /** Less is better. */
  readonly isReverse?: boolean
  readonly tone?: 'positive' | 'warning'
}

/** One figure. */
export const Tile = ({ label, value, change = 0, as = 'figure', isReverse = false, tone }: Props) => {
  const { t } = useTranslation('training')
  const rounded = Math.round(change * 100)
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" px="3" py="2" minW="0">
      <Text textStyle="secondary" color="fg.muted" truncate title={label}>
        {label}
      </Text>
      <HStack gap="2" align="baseline">
        <Text
          as="span"
          fontSize="lg"
          fontWeight="semibold"
          fontVariantNumeric="tabular-nums"
          color={tone === undefined ? undefined : `${tone}.fg`}
        >
          {value}
        </Text>
        {rounded === 0 ? null : (
          <Text
            as="span"
            textStyle="secondary"
            fontVariantNumeric="tabular-nums"
            color={rounded > 0 === isReverse ? 'warning.fg' : 'positive.fg'}
          >
            {as === 'percent' ? t('changepercent', { value: rounded }) : t('changefigure', { value: change })}
          </Text>
        )}
      </HStack>
    </Box>
  )
}
