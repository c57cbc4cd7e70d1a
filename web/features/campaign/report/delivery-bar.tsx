import { Box, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { countText, DELIVERY, DELIVERY_ORDER, type DeliveryStatus } from './delivery.ts'

export type Counts = Readonly<Partial<Record<DeliveryStatus, number>>>

interface Props {
  /** Messages by their status. */
  readonly counts: Counts
  readonly size?: 'row' | 'page'
}

/** Message statuses of a campaign: one segment per status present, best first. */
export const DeliveryBar = ({ counts, size = 'page' }: Props) => {
  const { t } = useTranslation('campaign')
  const shown = DELIVERY_ORDER.filter(status => (counts[status] ?? 0) > 0)
  const words = shown.map(status => `${t(`delivery.${status}`)} ${countText(counts[status] ?? 0)}`).join(', ')
  return (
    <HStack
      role="img"
      aria-label={words === '' ? t('delivery.nothing') : words}
      gap="2px"
      h={size === 'page' ? '18px' : '8px'}
      w="100%"
      borderRadius="5px"
      overflow="hidden"
      bg={shown.length === 0 ? 'bg.sunken' : undefined}
    >
      {shown.map(status => (
        <Box
          key={status}
          h="100%"
          minW="3px"
          flexBasis="0"
          style={{ flexGrow: counts[status] ?? 0 }}
          transition="flex-grow 240ms"
          {...DELIVERY[status].fill}
        />
      ))}
    </HStack>
  )
}
