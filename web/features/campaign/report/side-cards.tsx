import { Box, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, MousePointerClick } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isSimulated } from '#domain/campaign/simulated-number.ts'
import { templateOf } from '#domain/template/template.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Card, Fact } from '#web/components/card.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { Bubble, Cards, CHAT_COLORS } from '#web/entity/form/template/bubble.tsx'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { phoneAddress, SimulatedChip } from '#web/features/simulatednumber/index.ts'
import { TemplateChip } from '#web/features/template/index.ts'
import { TextLink } from '#web/page/text-link.ts'
import { useColorMode } from '#web/theme/color-mode.ts'
import { phoneOf } from '../app/app-query.ts'
import { QualityChip, useLimitText } from '../app/number-facts.tsx'

const useTemplate = (id: string) => {
  const { can } = useSession()
  useEntityTexts(['template'])
  return useQuery({ ...detailQuery('template', id), enabled: can('readtemplate') }).data
}

/** A template as people get it, with its sample values. */
export const MessagePreview = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('campaign')
  const { shown } = useColorMode()
  const data = useTemplate(id)
  if (data === undefined) return null
  const template = templateOf(data)
  const colors = CHAT_COLORS[shown]
  return (
    <Box p="3" display="grid" gap="2" style={{ background: colors.ground }}>
      <Bubble template={template} colors={colors} />
      <Cards cards={template.cards} colors={colors} label={t('report.cards')} />
    </Box>
  )
}

/** A template as people get it, and its facts. */
export const MessageCard = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const data = useTemplate(id)
  if (data === undefined) return null
  return (
    <Card title={t('report.message')} beside={<TemplateChip row={data} />}>
      <MessagePreview id={id} />
      <dl>
        <Fact label={t('report.template')}>
          <TextLink to={`/template/${id}`} textStyle="code">
            {data.templateName}
          </TextLink>
        </Fact>
        <Fact label={label.field('template', 'category')}>{label.option('template', 'category', data.category)}</Fact>
        <Fact label={label.field('template', 'language')}>{label.option('template', 'language', data.language)}</Fact>
      </dl>
    </Card>
  )
}

const minutesOf = (clock: unknown): number => {
  const [hours = '0', minutes = '0'] = String(clock).split(':')
  return Number(hours) * 60 + Number(minutes)
}

const DAY = 24 * 60

/** The hours of a day in which it sends; undefined: at any time. */
const hoursOf = ({ window, window_from: from, window_to: to }: RowOf<'campaign'>, category: unknown) => {
  if (window === 'own') return { from: minutesOf(from), to: minutesOf(to) }
  return window === 'default' && category === 'marketing' ? { from: 8 * 60, to: 20 * 60 } : undefined
}

const nowIn = (zone: string): number => {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format()
  return minutesOf(clock)
}

/** The hours in which it sends on a line of 24, with the present moment. */
const WindowLine = ({ hours, zone }: { readonly hours: { from: number; to: number }; readonly zone: string }) => {
  const { t } = useTranslation('campaign')
  const now = nowIn(zone)
  const clock = `${String(Math.floor(now / 60)).padStart(2, '0')}:${String(now % 60).padStart(2, '0')}`
  const { from, to } = hours
  const spans = from < to ? [[from, to] as const] : [[0, to] as const, [from, DAY] as const]
  const percent = (minutes: number) => `${(minutes / DAY) * 100}%`
  return (
    <Box mt="2">
      <Box position="relative" h="8px" borderRadius="full" bg="bg.sunken" aria-hidden="true">
        {spans.map(([from, to]) => (
          <Box
            key={from}
            position="absolute"
            h="100%"
            borderRadius="full"
            bg="bg.emphasized"
            style={{ left: percent(from), width: percent(to - from) }}
          />
        ))}
        <Box
          position="absolute"
          top="-3px"
          h="14px"
          w="4px"
          borderRadius="2px"
          bg="accent.solid"
          style={{ left: percent(now) }}
        />
      </Box>
      <HStack justify="space-between" mt="1.5" textStyle="secondary" color="fg.subtle">
        <span>0h</span>
        <span>{t('when.now', { time: clock })}</span>
        <span>24h</span>
      </HStack>
    </Box>
  )
}

/** When it is sent: its schedule and its hours. */
export const ScheduleCard = ({
  row,
  settings,
}: {
  readonly row: RowOf<'campaign'>
  readonly settings: string | undefined
}) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const { data: template } = useQuery({
    ...detailQuery('template', row.template),
    enabled: can('readtemplate'),
  })
  const hours = hoursOf(row, template?.category)
  const isScheduled = Boolean(row.cron_expression)
  const Icon = isScheduled ? CalendarClock : MousePointerClick
  const clock = (minutes: number) =>
    `${Math.floor(minutes / 60)}h${minutes % 60 === 0 ? '' : String(minutes % 60).padStart(2, '0')}`
  return (
    <Card
      title={t('when.title')}
      beside={
        settings === undefined ? null : (
          <TextLink to={settings} textStyle="label">
            {t('when.change')}
          </TextLink>
        )
      }
    >
      <Box px="4" pb="4" textStyle="dense">
        <HStack gap="2">
          <Icon size={15} aria-hidden="true" />
          {isScheduled ? t('when.scheduled') : t('when.byhand')}
        </HStack>
        {isScheduled ? (
          <Text textStyle="code" color="fg.muted" ml="6">
            {`${row.cron_expression} · ${row.timezone}`}
          </Text>
        ) : null}
        <Text mt="2" color="fg.muted">
          {hours === undefined ? t('when.always') : t('when.hours', { from: clock(hours.from), to: clock(hours.to) })}
        </Text>
        {hours === undefined ? null : <WindowLine hours={hours} zone={String(row.timezone ?? 'America/Sao_Paulo')} />}
      </Box>
    </Card>
  )
}

/** The channel that it is sent from. */
export const ChannelCard = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const { can } = useSession()
  const { data } = useQuery({ ...detailQuery('channel', id), enabled: can('readchannel') })
  if (data === undefined) return null
  return (
    <Card title={t('number.short')}>
      <dl>
        <Fact label={t('number.from')}>
          <TextLink to={`/channel/${id}`}>{data.name}</TextLink>
        </Fact>
        <Fact label={label.field('template', 'provider')}>{label.option('template', 'provider', data.type)}</Fact>
      </dl>
    </Card>
  )
}

/** The number that it is sent from. */
export const NumberCard = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const limit = useLimitText()
  const { data } = useQuery({ ...detailQuery('metaaccount', id), enabled: can('readmetaaccount') })
  if (data === undefined) return null
  return (
    <Card
      title={t('number.short')}
      beside={
        <>
          {isSimulated(data) ? <SimulatedChip /> : null}
          <QualityChip value={data.quality_rating} />
        </>
      }
    >
      <dl>
        <Fact label={t('number.from')}>
          <TextLink to={`/metaaccount/${id}`}>{phoneOf(data)}</TextLink>
        </Fact>
        <Fact label={t('number.limit')}>{limit(data.messaging_limit)}</Fact>
        {isSimulated(data) ? (
          <Fact label={t('number.phones')}>
            <TextLink to={phoneAddress(id)}>{t('number.openphones')}</TextLink>
          </Fact>
        ) : null}
      </dl>
    </Card>
  )
}
