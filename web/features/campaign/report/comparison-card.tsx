import { Box, Button, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Trophy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useLabel } from '#web/entity/label.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { isOpen, type Statistics } from './campaign-query.ts'
import { countText, shareText } from './delivery.ts'

type Comparison = NonNullable<Statistics['comparison']>
type Part = Comparison['variants'][number]

/** Fewer people say little about a difference. */
const FEW = 30

const Figures = ({ part }: { readonly part: Part }) => {
  const { t } = useTranslation('campaign')
  const delivered = part.delivered + part.read + part.engaged
  const lines = [
    ['delivered', delivered, part.handedover],
    ['read', part.read + part.engaged, part.handedover],
    ['engaged', part.engaged, part.handedover],
    ['failed', part.failed, part.total],
  ] as const
  return (
    <chakra.dl textStyle="dense" fontVariantNumeric="tabular-nums">
      {lines.map(([name, count, whole]) => (
        <HStack key={name} justify="space-between" minH="7">
          <Text as="dt" color="fg.muted">
            {t(`compare.${name}`)}
          </Text>
          <Text as="dd">
            {countText(count)}{' '}
            <Text as="span" color="fg.muted">
              {shareText(count, whole)}
            </Text>
          </Text>
        </HStack>
      ))}
    </chakra.dl>
  )
}

const Side = ({ part, isWinner, onChoose }: { part: Part; isWinner: boolean; onChoose: (() => void) | undefined }) => {
  const { t } = useTranslation('campaign')
  const { variant, template, total } = part
  return (
    <Box as="section" aria-label={t(`compare.${variant}`)} borderWidth="1px" borderRadius="md" p="3" minW="0">
      <HStack gap="2" mb="1" flexWrap="wrap">
        <Text textStyle="card">{t(`compare.${variant}`)}</Text>
        {isWinner ? (
          <Chip tone="positive" icon={Trophy}>
            {t('compare.chosen')}
          </Chip>
        ) : null}
      </HStack>
      <Text textStyle="code" overflowWrap="anywhere">
        {template?.name}
      </Text>
      <Text textStyle="secondary" color="fg.muted" mb="2">
        {t('compare.count', { count: total, shown: countText(total) })}
      </Text>
      <Figures part={part} />
      {onChoose === undefined ? null : (
        <Button mt="2" w="100%" onClick={onChoose}>
          {t('compare.choose', { name: t(`compare.${variant}`) })}
        </Button>
      )}
    </Box>
  )
}

interface ChooseProps {
  readonly row: RowOf<'campaign'>
  readonly part: Part
  onClose(): void
}

const ChooseDialog = ({ row, part, onClose }: ChooseProps) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const label = useLabel()
  const client = useQueryClient()
  const { isBusy, failure, attempt } = useAttempt(t('shell:error.noanswer'))
  const choose = () =>
    attempt(async () => {
      await http.post('/{entity}/{id}/{action}', {
        params: { entity: 'campaign', id: row.id, action: 'choosewinner' },
        body: { winner: part.variant },
      })
      await client.invalidateQueries({ queryKey: ['campaign'] })
      onClose()
    })
  return (
    <Modal
      onClose={onClose}
      icon={<Trophy size={17} aria-hidden="true" />}
      title={t('compare.choose', { name: `${t(`compare.${part.variant}`)}, ${part.template?.name}` })}
      actions={
        <Button variant="solid" loading={isBusy} onClick={() => void choose()}>
          {t('compare.choose', { name: t(`compare.${part.variant}`) })}
        </Button>
      }
    >
      <Text textStyle="dense">{label.question('campaign', 'choosewinner')}</Text>
      <ErrorLine text={failure} />
    </Modal>
  )
}

/** The two templates of a comparison side by side, and the choice of the better one. */
export const ComparisonCard = ({ row, data }: { readonly row: RowOf<'campaign'>; readonly data: Comparison }) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const [chosen, setChosen] = useState<Part>()
  const { winner, variants } = data
  const sides = variants.filter(({ variant }) => variant !== 'rest')
  const rest = variants.find(({ variant }) => variant === 'rest')
  const mayChoose = winner === null && isOpen(row) && can('choosewinnercampaign')
  return (
    <Card title={t('compare.title')}>
      <Box px="4" pb="4">
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="3">
          {sides.map(part => (
            <Side
              key={part.variant}
              part={part}
              isWinner={winner === part.variant}
              onChoose={mayChoose ? () => setChosen(part) : undefined}
            />
          ))}
        </SimpleGrid>
        {sides.some(({ handedover }) => handedover > 0 && handedover < FEW) ? (
          <Text textStyle="secondary" color="fg.muted" mt="2">
            {t('compare.few')}
          </Text>
        ) : null}
        {rest === undefined || rest.total === 0 ? null : (
          <Text textStyle="dense" mt="3">
            <b>{t('compare.rest')}</b> {t('compare.count', { count: rest.total, shown: countText(rest.total) })},{' '}
            {rest.template === null ? t('compare.waits') : t('compare.gets', { name: rest.template.name })}
          </Text>
        )}
      </Box>
      {chosen === undefined ? null : <ChooseDialog row={row} part={chosen} onClose={() => setChosen(undefined)} />}
    </Card>
  )
}
