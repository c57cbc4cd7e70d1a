import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock, Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { durationOf, minuteOf, momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useNoticedAttempt } from '#web/notice/use-attempt.ts'
import { TextLink } from '#web/page/text-link.ts'

type Alert = AnswerOf<'GET /hierarchy/{id}/alerts'>['items'][number]

const REFETCH_MS = 5_000
const NONE: ReadonlySet<string> = new Set()
const LOOKS = {
  waiting: { icon: Clock, tone: 'warning' },
  delivered: { icon: CircleCheck, tone: 'positive' },
  failed: { icon: CircleAlert, tone: 'danger' },
} as const satisfies Readonly<Record<Alert['state'], object>>

/** One alert: when, what, and how far it came. */
const AlertLine = ({ alert }: { readonly alert: Alert }) => {
  const { t } = useTranslation('entity/hierarchy')
  const { time, text, state, tries, status, reason, next, times } = alert
  const { icon: Icon, tone } = LOOKS[state]
  const facts = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(reason === null ? [] : [reason]),
    ...(tries > 1 || state === 'failed' ? [t('alerts.tries', { count: tries })] : []),
    ...(next === null ? [] : [t('alerts.next', { time: minuteOf(next) })]),
    ...(times > 1 ? [t('alerts.times', { count: times })] : []),
  ]
  return (
    <HStack as="li" align="baseline" gap="3" rowGap="1" py="2" borderTopWidth="1px" flexWrap="wrap">
      <chakra.time dateTime={time} textStyle="secondary" color="fg.muted" w="120px" flex="none">
        {momentOf(time)}
      </chakra.time>
      <Box flex="1 1 200px" minW="0">
        <Text textStyle="dense" overflowWrap="anywhere">
          {text}
        </Text>
        <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          {facts.join(' · ')}
        </Text>
      </Box>
      <Chip tone={tone} icon={Icon}>
        {t(`alerts.state.${state}`)}
      </Chip>
    </HStack>
  )
}

/** Destination of the alerts of a level without an address. */
const Inherited = ({ from, sent }: Pick<AnswerOf<'GET /hierarchy/{id}/alerts'>, 'from' | 'sent'>) => {
  const { t } = useTranslation('entity/hierarchy')
  if (!sent) return <>{t('alerts.noaddress')}</>
  if (from === null) return <>{t('alerts.inheritedhidden')}</>
  return (
    <>
      {`${t('alerts.inherited')} `}
      <TextLink to={`/hierarchy/${from.id}`}>{from.name}</TextLink>
    </>
  )
}

interface Props {
  readonly level: string
  /** The saved level has an address. */
  readonly hasAddress: boolean
}

/** The newest alerts to the address of a level, and a test of that address. */
const LevelAlerts = ({ level, hasAddress }: Props) => {
  const { t } = useTranslation('entity/hierarchy')
  const { can } = useSession()
  const client = useQueryClient()
  const { isBusy, attempt } = useNoticedAttempt(t('alerts.failed'))
  const queryKey = ['hierarchy', 'alerts', level, hasAddress]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => http.get('/hierarchy/{id}/alerts', { params: { id: level }, signal }),
    refetchInterval: hasAddress ? REFETCH_MS : false,
  })
  if (data === undefined) return null
  const test = () =>
    attempt(async () => {
      const { ok, time, status, reason } = await http.post('/hierarchy/{id}/testalert', {
        params: { id: level },
        body: {},
      })
      const failed = status === null ? (reason ?? t('alerts.failed')) : t('alerts.status', { status })
      notice.toast(ok ? t('alerts.ok', { time: durationOf(time) }) : failed, { tone: ok ? 'positive' : 'danger' })
      await client.invalidateQueries({ queryKey })
    })
  return (
    <Box as="section" aria-labelledby="alerts" maxW="960px" mt="6">
      <HStack gap="3" flexWrap="wrap" mb="2">
        <Box flex="1 1 240px" minW="0">
          <Text as="h2" id="alerts" textStyle="card">
            {t('alerts.last')}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {hasAddress ? t('alerts.untested') : <Inherited from={data.from} sent={data.sent} />}
          </Text>
        </Box>
        {hasAddress && can('updatehierarchy') ? (
          <Button loading={isBusy} onClick={() => void test()}>
            <Send size={15} aria-hidden="true" />
            {t('alerts.test')}
          </Button>
        ) : null}
      </HStack>
      {hasAddress && data.items.length === 0 ? (
        <Text textStyle="dense" color="fg.muted">
          {t('alerts.none')}
        </Text>
      ) : null}
      <Box as="ul" listStyleType="none">
        {data.items.map(alert => (
          <AlertLine key={alert.id} alert={alert} />
        ))}
      </Box>
    </Box>
  )
}

/** A level: its form, and below it the alerts that went to its address. */
export const LevelPage = () => {
  const { id = '' } = useParams()
  return (
    <EntityDetail
      entity={hierarchy}
      id={id}
      listAt="/hierarchy"
      hidden={NONE}
      below={row => <LevelAlerts key={row.id} level={row.id} hasAddress={row.alert_url !== null} />}
    />
  )
}
