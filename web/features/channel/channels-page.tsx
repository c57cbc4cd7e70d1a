import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { HeartPulse, PlugZap, RadioTower, Table2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { isPushed, missingFields } from '#schemas/channel-type.ts'
import { channel } from '#schemas/entities/channel.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { EntityListPage } from '#web/entity/list/entity-list-page.tsx'
import { FloatingNew, NewButton, useCreate } from '#web/entity/list/list-actions.tsx'
import { type ListPlace, useListPlace } from '#web/entity/list/use-list-state.ts'
import { numberText } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { FIELD } from '#web/page/use-field-focus.ts'
import { NARROW, PHONE, useMedia } from '#web/shell/use-media.ts'
import { ChannelPanel } from './channel-panel.tsx'
import { ChannelRow, nameOf } from './channel-row.tsx'
import { StateCell } from './channel-state.tsx'
import { useChannelTests } from './connection-test.tsx'
import {
  botHealthQuery,
  channelsQuery,
  GROUPS,
  type Group,
  type Health,
  isInGroup,
  rankOf,
  TONE,
} from './health-query.ts'

/** A channel with its health. */
interface ShownChannel {
  readonly row: RowOf<'channel'>
  readonly health: Health
}

const GROUP_NAMES = Object.keys(GROUPS) as readonly Group[]
const messagesOf = ({ hours }: Health) => hours.map(({ in: received, out, failed }) => received + out + failed)

const useShown = (bot: string) => {
  const rows = useQuery(channelsQuery(bot))
  const health = useQuery(botHealthQuery(bot))
  const error = rows.error ?? health.error
  const retry = () => void Promise.all([rows.refetch(), health.refetch()])
  if (rows.data === undefined || health.data === undefined) return { error, retry, shown: undefined }
  const byId = new Map(health.data.items.map(each => [each.id, each]))
  const shown = rows.data.items.flatMap((row): readonly ShownChannel[] => {
    const found = byId.get(row.id)
    return found === undefined ? [] : [{ row, health: found }]
  })
  return {
    error,
    retry,
    shown: shown.sort((one, other) => rankOf(one.health.state) - rankOf(other.health.state)),
  }
}

/** Enables and disables a channel, with the way back in the notice. An incomplete one leads to its first empty field. */
const useSwitch = () => {
  const { t } = useTranslation(['entity/channel', 'shell'])
  const command = useEntityCommand(channel)
  const label = useLabel()
  const navigate = useNavigate()
  const tellMissing = ({ id, bot, type }: RowOf<'channel'>, missing: readonly string[], name: string) => {
    const fields = missing.map(field => label.field('channel', field, type)).join(', ')
    const run = () => void navigate(`/channel/${id}?pid=${bot}&${FIELD}=${missing[0] ?? ''}`)
    notice.snack(t('health.incomplete', { name, fields, count: missing.length }), {
      tone: 'warning',
      action: { label: t('health.act.fill'), run },
    })
  }
  const put = async ({ id, revision }: Pick<Row, 'id' | 'revision'>, enable: boolean, name: string, isUndo = false) => {
    try {
      const params = { entity: 'channel', id }
      const { revision: saved } = await http.patch('/{entity}/{id}', { params, body: { enable }, revision })
      await command.refresh()
      const undo = { label: t('shell:undo'), run: () => void put({ id, revision: saved }, !enable, name, true) }
      const text = t(enable ? 'health.switchon' : 'health.switchoff', { name })
      notice.snack(text, isUndo ? {} : { action: undo })
    } catch (error) {
      command.failed(error)
    }
  }
  return (row: RowOf<'channel'>, enable: boolean, name: string) => {
    const missing = enable && isPushed(row.type) ? missingFields(row) : []
    if (missing.length > 0) return tellMissing(row, missing, name)
    return void put(row, enable, name)
  }
}

const Summary = ({ shown }: { readonly shown: readonly ShownChannel[] }) => {
  const { t } = useTranslation('entity/channel')
  const of = (tone: string) => shown.filter(({ health }) => TONE[health.state] === tone).length
  const total = shown.reduce(
    (sum, { health: { hours } }) => sum + hours.reduce((all, hour) => all + hour.in + hour.out, 0),
    0,
  )
  return (
    <>
      <Text as="span" color="fg.muted" fontVariantNumeric="tabular-nums">
        {numberText(shown.length)}
      </Text>
      {of('danger') === 0 ? null : <Chip tone="danger">{t('health.bad', { count: of('danger') })}</Chip>}
      {of('warning') === 0 ? null : <Chip tone="warning">{t('health.care', { count: of('warning') })}</Chip>}
      <Text as="span" textStyle="dense" color="fg.muted">
        {t('health.messages', { count: total, formatted: numberText(total) })}
      </Text>
    </>
  )
}

const LEGEND = [
  ['all', 'fg.subtle'],
  ['now', 'fg'],
  ['bad', 'danger.solid'],
] as const

const Legend = () => {
  const { t } = useTranslation('entity/channel')
  return (
    <HStack gap="4" rowGap="1" mt="2" px="1" flexWrap="wrap" textStyle="secondary" color="fg.muted">
      {LEGEND.map(([key, color]) => (
        <HStack key={key} gap="1.5">
          <Box boxSize="2.5" borderRadius="2px" bg={color} />
          {t(`health.legend.${key}`)}
        </HStack>
      ))}
    </HStack>
  )
}

interface ListedProps {
  readonly shown: readonly ShownChannel[]
  readonly tests: ReturnType<typeof useChannelTests>
  readonly opened: string | undefined
  readonly open: ((id: string) => void) | undefined
}

const Listed = ({ shown, tests, opened, open }: ListedProps) => {
  const { t } = useTranslation('entity/channel')
  const label = useLabel()
  const { can, user } = useSession()
  const { params, put } = useAddress()
  const change = useSwitch()
  const group = GROUP_NAMES.find(each => each === params.get('state'))
  const within = group === undefined ? shown : shown.filter(({ health }) => isInGroup(group, health.state))
  const most = Math.max(0, ...shown.flatMap(({ health }) => messagesOf(health)))
  const count = (of: Group) => shown.filter(({ health }) => isInGroup(of, health.state)).length
  const mayChange = can('updatechannel') && user.seenby === undefined
  return (
    <>
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        <HStack px="4" py="2.5" gap="3" rowGap="2" flexWrap="wrap" borderBottomWidth="1px">
          <Box maxW="100%" overflowX="auto">
            <Segments<Group | 'all'>
              label={t('health.filter')}
              value={group ?? 'all'}
              onChange={value => put({ state: value === 'all' ? undefined : value })}
              options={[
                { value: 'all', label: `${t('health.all')} ${shown.length}` },
                ...GROUP_NAMES.map(value => ({ value, label: `${t(`health.${value}`)} ${count(value)}` })),
              ]}
            />
          </Box>
          <Text textStyle="secondary" color="fg.muted" ms="auto">
            {t('health.last24')}
          </Text>
        </HStack>
        {within.length === 0 ? (
          <EmptyState icon={RadioTower} title={t('health.nothere')} />
        ) : (
          <chakra.ul listStyleType="none" aria-label={label.plural('channel')}>
            {within.map(({ row, health }) => (
              <ChannelRow
                key={row.id}
                row={row}
                health={health}
                most={most}
                isOpen={opened === row.id}
                mayChange={mayChange}
                open={open && (() => open(row.id))}
                onSwitch={enable => change(row, enable, nameOf(row, label.option('channel', 'type', row.type)))}
                onTest={() => {
                  open?.(row.id)
                  void tests.test(row.id)
                }}
              />
            ))}
          </chakra.ul>
        )}
      </Box>
      <Legend />
    </>
  )
}

interface ActionsProps {
  readonly shown: readonly ShownChannel[] | undefined
  readonly tests: ReturnType<typeof useChannelTests>
  readonly create: (() => void) | undefined
}

const Actions = ({ shown = [], tests, create }: ActionsProps) => {
  const { t } = useTranslation('entity/channel')
  const { can } = useSession()
  const { put } = useAddress()
  const tested = shown.filter(({ row }) => row.enable)
  const testAll = async () => {
    const answers = []
    for (const { row } of tested) answers.push(await tests.test(row.id))
    const ok = answers.filter(answer => answer?.ok === true).length
    notice.snack(t('health.tested', { ok, total: tested.length }), {
      tone: ok === tested.length ? 'positive' : 'danger',
    })
  }
  return (
    <>
      <Button variant="ghost" onClick={() => put({ as: 'table', open: undefined, state: undefined })}>
        <Table2 size={15} aria-hidden="true" />
        {t('health.table')}
      </Button>
      {can('testchannel') && tested.length > 0 ? (
        <Button loading={tests.busy.size > 0} onClick={() => void testAll()}>
          <PlugZap size={15} aria-hidden="true" />
          {t('health.testall')}
        </Button>
      ) : null}
      {create === undefined ? null : <NewButton entity={channel} create={create} />}
    </>
  )
}

const NoChannel = ({ create }: { readonly create: (() => void) | undefined }) => {
  const { t } = useTranslation('entity/channel')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      <EmptyState icon={RadioTower} title={t('health.nochannel')} text={t('purpose')}>
        {create === undefined ? null : <NewButton entity={channel} create={create} />}
      </EmptyState>
    </Box>
  )
}

interface ChannelsProps {
  readonly bot: string
  readonly place: ListPlace
}

/** The channels of a bot with their health. */
const Channels = ({ bot, place }: ChannelsProps) => {
  const label = useLabel()
  const { params, put } = useAddress()
  const isPhone = useMedia(PHONE)
  const isNarrow = useMedia(NARROW)
  const create = useCreate(place, false)
  const tests = useChannelTests()
  const { error, retry, shown } = useShown(bot)
  const opened = isNarrow ? undefined : shown?.find(({ row }) => row.id === params.get('open'))
  const isReady = useEntityTextsReady(['channel'])
  if (!isReady) return <PageSkeleton />
  return (
    <Page
      title={label.plural('channel')}
      beside={shown === undefined ? null : <Summary shown={shown} />}
      actions={<Actions shown={shown} tests={tests} create={isPhone ? undefined : create} />}
      aside={
        opened === undefined ? null : (
          <ChannelPanel
            row={opened.row}
            health={opened.health}
            answer={tests.answers.get(opened.row.id)}
            isBusy={tests.busy.has(opened.row.id)}
            onTest={() => void tests.test(opened.row.id)}
            onConnect={() => void tests.connect(opened.row.id)}
            onClose={() => put({ open: undefined })}
          />
        )
      }
    >
      {shown === undefined ? (
        error ? (
          <ErrorState error={error} onRetry={retry} />
        ) : (
          <RowsSkeleton />
        )
      ) : shown.length === 0 ? (
        <NoChannel create={create} />
      ) : (
        <Listed
          shown={shown}
          tests={tests}
          opened={opened?.row.id}
          open={isNarrow ? undefined : id => put({ open: params.get('open') === id ? undefined : id })}
        />
      )}
      {isPhone && create !== undefined && shown !== undefined && shown.length > 0 ? (
        <>
          <Box flex="none" h="14" />
          <FloatingNew entity={channel} create={create} />
        </>
      ) : null}
    </Page>
  )
}

const CELLS = { enable: (row: Row) => <StateCell row={row as RowOf<'channel'>} /> }

/** /channel/search: the channels of all bots. */
export const AllChannelsPage = () => <EntityListPage cells={CELLS} />

const isTable = (params: URLSearchParams): boolean => params.get('as') === 'table' || params.get('removed') === 'true'

const BackToHealth = () => {
  const { t } = useTranslation('entity/channel')
  return (
    <Button asChild variant="ghost" size="sm" mb="2" alignSelf="start">
      <Link to={{ search: '' }}>
        <HeartPulse size={15} aria-hidden="true" />
        {t('health.list')}
      </Link>
    </Button>
  )
}

/** /bot/channel/{bot}: channels with their health, or the table that every entity has. */
export const ChannelsPage = () => {
  const { bot = '' } = useParams()
  const place = useListPlace()
  const { params } = useAddress()
  const { can } = useSession()
  if (!can('readchannel')) return <ErrorMessage code="403" />
  if (place === undefined) return <ErrorMessage code="404" />
  return isTable(params) ? (
    <EntityListPage above={<BackToHealth />} cells={CELLS} />
  ) : (
    <Channels bot={bot} place={place} />
  )
}
