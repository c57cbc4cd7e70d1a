import { HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Row } from '#web/entity/entity-query.ts'
import { momentOf } from '#web/format/time.ts'
import { ActButton } from './act-button.tsx'
import { healthQuery, TONE, useCause } from './health-query.ts'
import { StateChip } from './state-chip.tsx'
import { TokenText } from './token-text.tsx'

interface Props {
  readonly row: Row
  onTest(): void
}

/** State of a channel with its cause and act, its token, and when something last came in and went out. */
export const ChannelHealth = ({ row, onTest }: Props) => {
  const { t } = useTranslation('entity/channel')
  const cause = useCause()
  const { data: health } = useQuery(healthQuery(row.id))
  if (health === undefined) return null
  const { lastin, lastout, waiting, state } = health
  const tone = TONE[state]
  const isWrong = tone === 'danger' || tone === 'warning'
  const facts = [
    ...(waiting === 0 ? [] : [t('health.waiting', { count: waiting })]),
    ...(lastin === null ? [] : [t('health.in', { time: momentOf(lastin) })]),
    ...(lastout === null ? [] : [t('health.out', { time: momentOf(lastout) })]),
  ]
  return (
    <HStack
      gap="3"
      rowGap="2"
      mb="3"
      flexWrap="wrap"
      role="status"
      maxW="960px"
      {...(isWrong
        ? { colorPalette: tone, bg: 'colorPalette.subtle', borderWidth: '1px', borderRadius: 'lg', p: '3' }
        : {})}
    >
      <StateChip health={health} />
      <Text textStyle="dense" flex="1 1 240px" minW="0" overflowWrap="anywhere">
        {cause(health, row)}
        <Text as="span" color="fg.muted">
          {`${health.code === '' ? '' : ' '}${facts.join(' · ')}`}
        </Text>
      </Text>
      {health.tokenends === null ? null : (
        <HStack gap="1.5" textStyle="dense">
          <Text as="span" color="fg.muted">
            {t('health.token')}
          </Text>
          <TokenText row={row} health={health} />
        </HStack>
      )}
      <ActButton row={row} health={health} onTest={onTest} size="sm" />
    </HStack>
  )
}
