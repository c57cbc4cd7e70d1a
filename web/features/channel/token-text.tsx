import { HStack, Text } from '@chakra-ui/react'
import { KeyRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { channelType } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import type { Health } from './health-query.ts'

const DAY_MS = 86_400_000
const SOON_DAYS = 14

interface Props {
  readonly row: RowOf<'channel'>
  readonly health: Health
}

/** Days until the token ends, as far as the provider says. */
export const TokenText = ({ row: { type }, health: { tokenends: ends } }: Props) => {
  const { t } = useTranslation('entity/channel')
  const days = ends === null ? undefined : Math.ceil((Date.parse(ends) - Date.now()) / DAY_MS)
  const [text, color] =
    channelType(type)?.token === undefined
      ? [t('health.notoken'), 'fg.muted']
      : days === undefined
        ? ['–', 'fg.muted']
        : days <= 0
          ? [t('health.ended'), 'danger.fg']
          : [t('health.ends', { count: days }), days <= SOON_DAYS ? 'warning.fg' : 'fg']
  return (
    <HStack
      as="span"
      gap="1"
      title={days === undefined ? t('health.noend') : undefined}
      color={color}
      fontWeight={days !== undefined && days <= SOON_DAYS ? 'semibold' : 'normal'}
    >
      <KeyRound size={12} aria-hidden="true" style={{ flex: 'none' }} />
      <Text as="span">{text}</Text>
    </HStack>
  )
}
