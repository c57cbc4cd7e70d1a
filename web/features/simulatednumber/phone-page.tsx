import { Box, Button, Grid, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, FlaskConical, Send, Smartphone } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { MAX_SPEED, PERSONAS } from '#domain/campaign/simulated-number.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card, Fact } from '#web/components/card.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Band, ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { QualityChip, useLimitText } from '#web/features/campaign/index.ts'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { numberText } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { NUMBER_KEY, numberQuery, numbersQuery, type SimulatedNumber } from './number-query.ts'
import { PersonaList } from './persona-list.tsx'
import { Phone } from './phone.tsx'
import { SimulatedChip } from './simulated-chip.tsx'
import { phoneAddress, TryWithoutMeta } from './try-without-meta.tsx'

const SPEEDS = [1, 10, 100]

/** Changes the clock or the limit of a number. */
const useSteer = (id: string) => {
  const { t } = useTranslation('simulatednumber')
  const client = useQueryClient()
  const take = async (change: () => Promise<SimulatedNumber>) => {
    try {
      client.setQueryData(numberQuery(id).queryKey, await change())
      await client.invalidateQueries({ queryKey: [NUMBER_KEY, id] })
    } catch (error) {
      notice.toast(failureOf(error, t('phone.failed')), { tone: 'danger' })
    }
  }
  return {
    raise: () => take(() => http.post('/simulatednumber/{id}/tier', { params: { id } })),
    setSpeed: (speed: number) =>
      take(() => http.post('/simulatednumber/{id}/clock', { params: { id }, query: { speed } })),
  }
}

const Next = ({ number }: { readonly number: SimulatedNumber }) => {
  const { t } = useTranslation('simulatednumber')
  const { can } = useSession()
  if (!can('createcampaign')) return null
  const address = `/campaignmanagement/campaign/create?${new URLSearchParams({ appid: number.app, phone: number.phone })}`
  return (
    <Card title={t('next.title')}>
      <Stack gap="2" px="4" pb="4">
        <Text textStyle="dense" color="fg.muted">
          {t('next.campaigntext')}
        </Text>
        <Button asChild variant="solid">
          <Link to={address}>
            <Send size={15} aria-hidden="true" />
            {t('next.campaign')}
          </Link>
        </Button>
      </Stack>
    </Card>
  )
}

/** Facts of a simulated number, and what changes them. */
const NumberPanel = ({ number }: { readonly number: SimulatedNumber }) => {
  const { t } = useTranslation('simulatednumber')
  const { can, user } = useSession()
  const steer = useSteer(number.id)
  const maySteer = can('updatemetaaccount') && user.seenby === undefined
  const limit = useLimitText()
  const speeds = [...new Set([...SPEEDS, number.speed])].toSorted((one, other) => one - other)
  return (
    <Stack gap="4" minW="0">
      <Next number={number} />
      <Card title={t('panel.title')}>
        <dl>
          <Fact label={number.name}>{number.phone}</Fact>
          <Fact label={t('panel.bot')}>
            {number.bot === null ? (
              t('panel.nobot')
            ) : number.channel === null ? (
              t('panel.nochannel')
            ) : (
              <ReferenceName to="bot" id={number.bot} />
            )}
          </Fact>
          <Fact label={t('panel.speed')}>
            {maySteer ? (
              <Segments
                label={t('panel.speed')}
                value={String(number.speed)}
                options={speeds.map(speed => ({ value: String(speed), label: t('panel.speedof', { speed }) }))}
                onChange={speed => void steer.setSpeed(Number(speed))}
              />
            ) : (
              t('panel.speedof', { speed: number.speed })
            )}
          </Fact>
          <Fact label={t('panel.tier')}>{limit(number.tier)}</Fact>
          <Fact label={t('panel.quality')}>
            <QualityChip value={number.quality} />
          </Fact>
          <Fact label={t('panel.blocks')}>{numberText(number.blocks)}</Fact>
        </dl>
        {maySteer && number.raisable ? (
          <HStack px="4" py="3" borderTopWidth="1px">
            <Button size="sm" onClick={() => void steer.raise()}>
              <ArrowUp size={15} aria-hidden="true" />
              {t('panel.raise')}
            </Button>
          </HStack>
        ) : null}
      </Card>
      <Card title={t('panel.prices')}>
        <Text textStyle="secondary" color="fg.muted" px="4" pb="2">
          {t('panel.pricestext')}
        </Text>
        <dl>
          {(['marketing', 'utility', 'authentication'] as const).map(category => (
            <Fact key={category} label={t(`panel.${category}`)}>
              {numberText(number.sampleprices[category], { style: 'currency', currency: 'BRL' })}
            </Fact>
          ))}
        </dl>
      </Card>
    </Stack>
  )
}

/** A whole number of an address, within its limits. */
const wholeIn = (text: string | null, min: number, max: number): number | undefined => {
  const value = /^\d{1,3}$/u.test(text ?? '') ? Number(text) : undefined
  return value !== undefined && value >= min && value <= max ? value : undefined
}

/** `?speed=` of the address sets the clock of the number once. */
const useAskedSpeed = (id: string): void => {
  const { params } = useAddress()
  const { can, user } = useSession()
  const client = useQueryClient()
  const speed = wholeIn(params.get('speed'), 1, MAX_SPEED)
  const maySet = can('updatemetaaccount') && user.seenby === undefined
  useEffect(() => {
    if (speed === undefined || !maySet) return
    void http
      .post('/simulatednumber/{id}/clock', { params: { id }, query: { speed } })
      .then(() => client.invalidateQueries({ queryKey: [NUMBER_KEY, id] }))
      .catch(() => undefined)
  }, [id, speed, maySet, client])
}

const SimulatedBand = () => (
  <Band role="note" tone="warning" icon={FlaskConical} borderWidth="1px" mb="4">
    {useTranslation('simulatednumber').t('band')}
  </Band>
)

const Opened = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('simulatednumber')
  const { params, put } = useAddress()
  useAskedSpeed(id)
  const { data, error, refetch } = useQuery(numberQuery(id))
  const persona = wholeIn(params.get('persona'), 0, PERSONAS - 1)
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton />
  const height = { base: 'calc(100dvh - 240px)', lg: 'calc(100dvh - 220px)' }
  const pane = { bg: 'bg.surface', borderWidth: '1px', borderRadius: 'lg', overflow: 'hidden', minH: '420px' } as const
  return (
    <Grid
      gap="4"
      templateColumns={{
        base: 'minmax(0, 1fr)',
        lg: 'minmax(0, 320px) minmax(0, 1fr)',
        xl: 'minmax(0, 340px) minmax(0, 1fr) 290px',
      }}
      alignItems="start"
    >
      <Box {...pane} h={height} display={{ base: persona === undefined ? 'block' : 'none', lg: 'block' }}>
        <PersonaList personas={data.personas} chosen={persona} onChoose={chosen => put({ persona: String(chosen) })} />
      </Box>
      <Box
        {...pane}
        h={height}
        display={{ base: persona === undefined ? 'none' : 'flex', lg: 'flex' }}
        flexDirection="column"
      >
        {persona === undefined ? (
          <Box m="auto">
            <EmptyState icon={Smartphone} title={t('phone.choose')} />
          </Box>
        ) : (
          <Phone key={`${id} ${persona}`} account={id} persona={persona} onBack={() => put({ persona: undefined })} />
        )}
      </Box>
      <Box
        gridColumn={{ lg: '1 / -1', xl: 'auto' }}
        display={{ base: persona === undefined ? 'block' : 'none', lg: 'block' }}
      >
        <NumberPanel number={data} />
      </Box>
    </Grid>
  )
}

interface NumbersProps {
  readonly id: string
  readonly items: readonly { readonly id: string; readonly name: string; readonly phone: string }[]
}

const Numbers = ({ id, items }: NumbersProps) => {
  const { t } = useTranslation('simulatednumber')
  const navigate = useNavigate()
  return (
    <Stack maxW="340px" mb="4">
      <LabelledSelect
        label={t('panel.choose')}
        value={id}
        options={items.map(each => [each.id, `${each.phone} · ${each.name}`])}
        onChange={chosen => void navigate(phoneAddress(chosen))}
      />
    </Stack>
  )
}

/** /campaignmanagement/phone/{account}: the phones of a simulated number's people. */
export const PhonePage = () => {
  const { t } = useTranslation(['simulatednumber', 'tool'])
  const { id } = useParams()
  const { can } = useSession()
  useEntityTexts(['bot'])
  const { data, error, refetch } = useQuery({ ...numbersQuery, enabled: can('readmetaaccount') })
  if (!can('readmetaaccount')) return <ErrorMessage code="403" />
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <PageSkeleton />
  const [first] = data.items
  if (id === undefined && first !== undefined) return <Redirect to={phoneAddress(first.id)} />
  return (
    <Page
      title={t('title')}
      beside={<SimulatedChip />}
      {...(id === undefined ? { purpose: t('tool:purpose.simulatednumber') } : {})}
    >
      {id === undefined ? (
        <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
          <TryWithoutMeta />
        </Box>
      ) : (
        <>
          <SimulatedBand />
          {data.items.length > 1 ? <Numbers id={id} items={data.items} /> : null}
          <Opened key={id} id={id} />
        </>
      )}
    </Page>
  )
}
