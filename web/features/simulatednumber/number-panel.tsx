import { Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Card, Fact } from '#web/components/card.tsx'
import { Segments } from '#web/components/segments.tsx'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { QualityChip, useLimitText } from '#web/features/campaign/index.ts'
import { numberText } from '#web/format/number.ts'
import { notice } from '#web/notice/notice.ts'
import { NUMBER_KEY, numberQuery, type SimulatedNumber } from './number-query.ts'

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
export const NumberPanel = ({ number }: { readonly number: SimulatedNumber }) => {
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
