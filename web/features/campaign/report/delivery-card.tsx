import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { isOpen, type Statistics } from './campaign-query.ts'
import { countText, DELIVERY, DELIVERY_ORDER, type DeliveryStatus, shareText } from './delivery.ts'

type Counts = Readonly<Partial<Record<DeliveryStatus, number>>>

interface BarProps {
  /** Messages by their status. */
  readonly counts: Counts
  readonly size?: 'row' | 'page'
}

/** Message statuses of a campaign: one segment per status present, best first. */
export const DeliveryBar = ({ counts, size = 'page' }: BarProps) => {
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

interface TileProps {
  readonly status: DeliveryStatus
  readonly count: number
  readonly total: number
  readonly isChosen: boolean
  onChoose(): void
}

/** One status with its number; a press narrows the recipients to it. */
const Tile = ({ status, count, total, isChosen, onChoose }: TileProps) => {
  const { t } = useTranslation('campaign')
  const isBad = status === 'failed' && count > 0
  return (
    <chakra.button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      textAlign="start"
      display="flex"
      flexDirection={{ base: 'row', md: 'column' }}
      alignItems={{ base: 'center', md: 'stretch' }}
      justifyContent="space-between"
      gap={{ base: '2', md: '0' }}
      px="3"
      py="2"
      minW="0"
      cursor="pointer"
      borderTopWidth="1px"
      borderRightWidth="1px"
      boxShadow={isChosen ? 'inset 0 -2px 0 0 {colors.accent.solid}' : 'none'}
      bg={isBad ? 'danger.subtle' : isChosen ? 'accent.subtle' : 'transparent'}
      _hover={{ bg: isBad ? 'danger.muted' : 'bg.subtle' }}
      focusVisibleRing="inside"
    >
      <HStack gap="1.5" textStyle="secondary" color={isBad ? 'danger.fg' : 'fg.muted'}>
        <Box boxSize="11px" borderRadius="3px" flex="none" {...DELIVERY[status].fill} />
        <Text as="span">{t(`delivery.${status}`)}</Text>
      </HStack>
      <HStack gap="1.5" align="baseline" fontVariantNumeric="tabular-nums">
        <Text as="span" textStyle={{ base: 'card', md: 'title' }}>
          {countText(count)}
        </Text>
        <Text as="span" textStyle="secondary" color="fg.muted" hideBelow="md">
          {shareText(count, total)}
        </Text>
      </HStack>
    </chakra.button>
  )
}

interface Props {
  readonly row: RowOf<'campaign'>
  readonly data: Statistics
  readonly chosen: DeliveryStatus | undefined
  onChoose(status: DeliveryStatus | undefined): void
}

type ReportProps = Pick<Props, 'row' | 'data'>

/** Number of messages that the provider took, and the progress of the run. */
const Headline = ({ row, data }: ReportProps) => {
  const { t } = useTranslation('campaign')
  const { total, handedover, progress, deliveredrate } = data
  const now = data.rate.at(-1)?.count ?? 0
  return (
    <HStack px="4" pt="4" pb="2" gap="2" align="baseline" flexWrap="wrap">
      <Text textStyle="display" fontVariantNumeric="tabular-nums">
        {countText(handedover)}
      </Text>
      <Text>{t('report.handedover', { count: handedover, total: countText(total) })}</Text>
      <Text textStyle="dense" color="fg.muted" flex={{ base: '1 1 100%', md: '1' }}>
        {[
          ...(isOpen(row) ? [t('report.progress', { share: `${Math.floor(progress * 100)}%` })] : []),
          ...(deliveredrate === null ? [] : [t('report.delivered', { share: shareText(deliveredrate, 1) })]),
        ].join(' · ')}
      </Text>
      {isOpen(row) && now > 0 ? (
        <Text textStyle="dense" color="fg.muted">
          {t('report.perminute', { rate: countText(now) })}
        </Text>
      ) : null}
    </HStack>
  )
}

/** Messages of which more will be known later. */
const Waiting = ({ row, data: { accepted, held } }: ReportProps) => {
  const { t } = useTranslation('campaign')
  return (
    <>
      {accepted > 0 && !isOpen(row) ? (
        <Text textStyle="secondary" color="fg.muted" mt="2">
          {t('report.receipts', { count: accepted, shown: countText(accepted) })}
        </Text>
      ) : null}
      {held > 0 ? (
        <Text textStyle="secondary" color="fg.muted" mt="2">
          {t('report.held', { count: held, shown: countText(held) })}
        </Text>
      ) : null}
    </>
  )
}

/** Progress of the campaign and counts per message status. */
export const DeliveryCard = ({ row, data, chosen, onChoose }: Props) => {
  const { t } = useTranslation('campaign')
  const { total } = data
  const counts: Counts = data.bystatus
  const shown = DELIVERY_ORDER.filter(status => status !== 'skipped' || (counts.skipped ?? 0) > 0)
  return (
    <Box
      as="section"
      aria-label={t('report.delivery')}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
    >
      <Headline row={row} data={data} />
      <Box px="4" pb="4">
        <DeliveryBar counts={counts} />
        <Waiting row={row} data={data} />
      </Box>
      <SimpleGrid
        role="group"
        aria-label={t('report.filter')}
        // Rows of equal length, in which the longest label fits.
        columns={{ base: 2, md: shown.length % 4 === 1 ? 3 : 4 }}
        mb="-1px"
        mr="-1px"
      >
        {shown.map(status => (
          <Tile
            key={status}
            status={status}
            count={counts[status] ?? 0}
            total={total}
            isChosen={chosen === status}
            onChoose={() => onChoose(chosen === status ? undefined : status)}
          />
        ))}
      </SimpleGrid>
    </Box>
  )
}
