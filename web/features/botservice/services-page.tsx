import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, OctagonAlert, Server, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { FixedService } from '#schemas/api/bot-service.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { type ActionAnswer, useEntityActions } from '#web/entity/action/use-entity-actions.tsx'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { PageLoadError } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { RunningServicesChip, ServiceTable, servicesQuery, useServiceName } from './service-table.tsx'

interface FixReport {
  readonly services: readonly FixedService[]
  /** Turns taken over from lost nodes. */
  readonly claims: number
}

/** Result of `fix`, per service. */
const FixedList = ({ fixed, onClose }: { readonly fixed: FixReport; onClose(): void }) => {
  const { t } = useTranslation('operation')
  const { t: shell } = useTranslation('shell')
  const label = useLabel()
  const nameOf = useServiceName()
  return (
    <Box as="section" role="status" mb="4" borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
      <HStack px="4" minH="46px">
        <Text as="h2" textStyle="card" flex="1">
          {t('fixed.title')}
        </Text>
        <IconButton icon={X} label={shell('close')} onClick={onClose} />
      </HStack>
      <Box as="ul" listStyleType="none" textStyle="dense">
        {fixed.services.map(service => (
          <HStack as="li" key={service.systemid} px="4" py="2" gap="3" borderTopWidth="1px">
            <Box color={service.did === 'unmended' ? 'danger.fg' : 'positive.fg'} flex="none">
              {service.did === 'unmended' ? (
                <OctagonAlert size={15} aria-hidden="true" />
              ) : (
                <CircleCheck size={15} aria-hidden="true" />
              )}
            </Box>
            <Text fontWeight="semibold">{nameOf(service)}</Text>
            <Text color="fg.muted">
              {t(`fixed.${service.did}`, { reason: label.option('botservice', 'status', service.after) })}
            </Text>
          </HStack>
        ))}
        <Text as="li" px="4" py="2" borderTopWidth="1px" color="fg.muted">
          {t('fixed.claims', { count: fixed.claims })}
        </Text>
      </Box>
    </Box>
  )
}

const Actions = ({ row, onDone }: { row: Row; onDone: (name: string, answer: ActionAnswer) => void }) => {
  const { entries, dialog } = useEntityActions(botEntity, onDone)
  return (
    <>
      {entries(row, 'page').map(({ id, label, icon: Icon, run }) => (
        <Button key={id} variant={id === 'fix' ? 'solid' : 'outline'} onClick={run}>
          {Icon === undefined ? null : <Icon size={15} aria-hidden="true" />}
          {label}
        </Button>
      ))}
      {dialog}
    </>
  )
}

const Body = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('operation')
  const { data, error, refetch } = useQuery(servicesQuery(bot))
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton rows={3} />
  const { runningstatus, needed, items } = data
  return (
    <Stack gap="4">
      <Text textStyle="dense" color="fg.muted" maxW="80ch">
        {t(`standing.${runningstatus as 'stopped'}`, { count: needed })}
      </Text>
      <Box as="section" bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
        {items.length === 0 ? (
          <EmptyState icon={Server} title={t('none')} text={t('nonetext')} />
        ) : (
          <ServiceTable bot={bot} items={items} />
        )}
      </Box>
    </Stack>
  )
}

/** /bot/botservice/{id}: the parts that a bot runs with, and what can be done when one is down. */
export const ServicesPage = () => {
  const { t } = useTranslation('operation')
  const { id = '' } = useParams()
  useEntityTexts(['bot', 'botservice'])
  const bot = useQuery(detailQuery('bot', id))
  const services = useQuery(servicesQuery(id))
  const [fixed, setFixed] = useState<FixReport>()
  if (bot.error) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
  const done = (name: string, answer: ActionAnswer) => {
    setFixed(name === 'fix' ? (answer as unknown as FixReport) : undefined)
    void services.refetch()
  }
  return (
    <Page
      title={t('services')}
      purpose={String(bot.data?.name ?? '…')}
      beside={services.data === undefined ? null : <RunningServicesChip services={services.data} />}
      actions={bot.data === undefined ? null : <Actions row={bot.data} onDone={done} />}
    >
      {fixed === undefined ? null : <FixedList fixed={fixed} onClose={() => setFixed(undefined)} />}
      <Body key={id} bot={id} />
    </Page>
  )
}
