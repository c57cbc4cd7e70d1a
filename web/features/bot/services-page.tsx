import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, Hourglass, OctagonAlert, ScrollText, Server, Square, TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { FixedService } from '#schemas/api/bot-service.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { bot as botEntity } from '#schemas/entities/bot.ts'
import { http } from '#web/api/http.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { type ActionAnswer, useEntityActions } from '#web/entity/action/use-entity-actions.tsx'
import { logAddress } from '#web/entity/address.ts'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { TextLink } from '#web/page/text-link.ts'

/** Number of running services out of those needed or present. */
const RunningServicesChip = ({ services }: { readonly services: Services }) => {
  const { t } = useTranslation('operation')
  const { runningstatus, up, needed, items } = services
  if (runningstatus === 'stopped') return null
  const of = Math.max(needed, items.filter(({ state }) => state !== 'stopped').length)
  const tone = up >= of ? 'positive' : items.some(({ state }) => state === 'down') ? 'danger' : 'warning'
  const Icon = { positive: CircleCheck, danger: TriangleAlert, warning: Hourglass }[tone]
  return (
    <Chip tone={tone} icon={Icon}>
      {t('up', { up, of })}
    </Chip>
  )
}

type Services = AnswerOf<'GET /bot/{id}/services'>
type Service = Services['items'][number]

/** Nodes report every 10 s; a change of state is pushed at once. */
const REFRESH_MS = 10_000

const servicesQuery = (bot: string) =>
  queryOptions({
    queryKey: ['botservice', 'ofbot', bot],
    queryFn: ({ signal }) => http.get('/bot/{id}/services', { params: { id: bot }, signal }),
    refetchInterval: REFRESH_MS,
  })

const LOOK = {
  up: { tone: 'positive', icon: CircleCheck },
  down: { tone: 'danger', icon: OctagonAlert },
  stopped: { tone: 'neutral', icon: Square },
} as const

/** A part that is the program's own has its name in the reader's language; a channel has its own. */
const useServiceName = () => {
  const { t } = useTranslation('operation')
  return ({ systemid, name }: Pick<Service, 'systemid' | 'name'>) =>
    systemid === 'runtime' || systemid === 'nlu' ? t(`part.${systemid}`) : name
}

const State = ({ service: { state, status } }: { readonly service: Service }) => {
  const label = useLabel()
  const { tone, icon: Icon } = LOOK[state]
  return (
    <>
      <Chip tone={tone} icon={Icon}>
        {label.option('botservice', 'state', state)}
      </Chip>
      {state === 'up' || status === 'stopped' ? null : (
        <Text textStyle="secondary" color={state === 'down' ? 'danger.fg' : 'fg.muted'}>
          {label.option('botservice', 'status', status)}
        </Text>
      )}
    </>
  )
}

const Nodes = ({ nodes }: Pick<Service, 'nodes'>) => {
  const { t } = useTranslation('operation')
  const label = useLabel()
  if (nodes.length === 0) return <span>–</span>
  const working = nodes.filter(({ status }) => status === 'ready').length
  const each = nodes.map(({ node, version, status, since }) => {
    const how = label.option('botservice', 'status', status)
    return `${node} · ${version} · ${how} · ${momentOf(since)}`
  })
  return (
    <Hint text={each.join('\n')}>
      <chakra.span tabIndex={0} fontVariantNumeric="tabular-nums" borderRadius="xs" focusVisibleRing="outside">
        {t('onnodes', { working, count: nodes.length })}
      </chakra.span>
    </Hint>
  )
}

const Heads = () => {
  const { t } = useTranslation('operation')
  return (
    <chakra.thead hideBelow="md">
      <chakra.tr>
        {(['service', 'state', 'version', 'since', 'nodes'] as const).map(name => (
          <chakra.th key={name} scope="col" textAlign="start" textStyle="label" color="fg.muted" px="4" h="34px">
            {t(`column.${name}`)}
          </chakra.th>
        ))}
        <chakra.th>
          <chakra.span srOnly>{t('column.log')}</chakra.span>
        </chakra.th>
      </chakra.tr>
    </chakra.thead>
  )
}

const CELL = { px: '4', py: { base: '1', md: '2.5' }, verticalAlign: 'middle' } as const

const ServiceRow = ({ bot, service }: { readonly bot: string; readonly service: Service }) => {
  const { t } = useTranslation('operation')
  const nameOf = useServiceName()
  const { systemid, state, buildversion, since, nodes } = service
  const name = nameOf(service)
  return (
    <chakra.tr
      display={{ base: 'flex', md: 'table-row' }}
      flexWrap="wrap"
      alignItems="center"
      borderTopWidth="1px"
      py={{ base: '2', md: '0' }}
      bg={state === 'down' ? 'danger.subtle' : undefined}
    >
      <chakra.th scope="row" {...CELL} textAlign="start" flex="1 1 60%" minW="0" fontWeight="inherit">
        <Text textStyle="card">{name}</Text>
        <Text fontFamily="mono" fontSize="2xs" color="fg.muted" overflowWrap="anywhere">
          {systemid.split(':')[0]}
        </Text>
      </chakra.th>
      <chakra.td {...CELL}>
        <State service={service} />
      </chakra.td>
      <chakra.td {...CELL} fontFamily="mono" fontSize="xs" hideBelow="md">
        {buildversion ?? '–'}
      </chakra.td>
      <chakra.td {...CELL} whiteSpace="nowrap" hideBelow="md">
        <Hint text={momentOf(since)}>
          <chakra.time>{agoOf(since)}</chakra.time>
        </Hint>
      </chakra.td>
      <chakra.td {...CELL} whiteSpace="nowrap">
        <Nodes nodes={nodes} />
      </chakra.td>
      <chakra.td {...CELL} textAlign="end">
        <RouterLink
          to={logAddress(bot, systemid)}
          aria-label={t('logof', { name })}
          title={t('logof', { name })}
          display="inline-grid"
          placeItems="center"
          boxSize={{ base: '11', md: '8' }}
          borderRadius="md"
          color="fg.muted"
          _hover={{ bg: 'bg.subtle', color: 'fg' }}
          focusVisibleRing="outside"
        >
          <ScrollText size={16} aria-hidden="true" />
        </RouterLink>
      </chakra.td>
    </chakra.tr>
  )
}

/** The services of a bot, one row each; one that is down is tinted and says why. */
const ServiceTable = ({ bot, items }: { readonly bot: string; readonly items: readonly Service[] }) => {
  const { t } = useTranslation('operation')
  return (
    <Box overflowX="auto">
      <chakra.table w="100%" textStyle="dense" aria-label={t('services')} display={{ base: 'block', md: 'table' }}>
        <Heads />
        <chakra.tbody display={{ base: 'block', md: 'table-row-group' }}>
          {items.map(service => (
            <ServiceRow key={service.id} bot={bot} service={service} />
          ))}
        </chakra.tbody>
      </chakra.table>
    </Box>
  )
}

/** The services of a bot on its overview; nothing while it has none. */
export const ServicesCard = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('operation')
  useEntityTexts(['botservice'])
  const { data } = useQuery(servicesQuery(bot))
  if (data === undefined || data.items.length === 0) return null
  return (
    <Box as="section" aria-label={t('services')} bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
      <HStack px="4" minH="46px" gap="3">
        <Text as="h2" textStyle="card" flex="1">
          {t('services')}
        </Text>
        <RunningServicesChip services={data} />
        <TextLink to={`/bot/botservice/${bot}`} textStyle="secondary" _hover={{ textDecoration: 'underline' }}>
          {t('open')}
        </TextLink>
      </HStack>
      <ServiceTable bot={bot} items={data.items} />
    </Box>
  )
}

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
  if (bot.error && bot.data === undefined) return <PageLoadError error={bot.error} onRetry={() => void bot.refetch()} />
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
