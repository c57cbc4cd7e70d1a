import { Box, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, Star, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { Fact } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { useLabel } from '#web/entity/label.ts'
import { numberText } from '#web/format/number.ts'
import { agoOf, dayOf } from '#web/format/time.ts'

const REFRESH_MS = 30_000

/** When people last wrote to the number of an account: only traffic proves where Meta sends its messages. */
const SeenText = ({ account }: { readonly account: string }) => {
  const { t } = useTranslation('campaign')
  const { data } = useQuery({
    queryKey: ['metaaccount', 'seen', account],
    queryFn: ({ signal }) => http.get('/metaaccount/{id}/seen', { params: { id: account }, signal }),
    refetchInterval: REFRESH_MS,
  })
  if (data === undefined) return '–'
  return data.last === null ? t('number.neverseen') : agoOf(data.last)
}

const QUALITY = {
  GREEN: { tone: 'positive', icon: Star },
  YELLOW: { tone: 'warning', icon: TriangleAlert },
  RED: { tone: 'danger', icon: TriangleAlert },
  UNKNOWN: { tone: 'neutral', icon: CircleDashed },
} as const

const isQuality = (value: unknown): value is keyof typeof QUALITY =>
  typeof value === 'string' && Object.hasOwn(QUALITY, value)

/** Meta's quality rating of a number. */
export const QualityChip = ({ value }: { readonly value: unknown }) => {
  const { t } = useTranslation('campaign')
  const quality = isQuality(value) ? value : 'UNKNOWN'
  const { tone, icon: Icon } = QUALITY[quality]
  return (
    <Chip tone={tone} icon={Icon}>
      {t(`quality.${quality}`)}
    </Chip>
  )
}

const TIER = /^TIER_(\d{1,9})(K?)$/u

/** The messaging limit in words: people that may be written to in 24 hours. */
export const useLimitText = (): ((limit: unknown) => string) => {
  const { t } = useTranslation('campaign')
  return limit => {
    if (limit === 'TIER_UNLIMITED') return t('limit.none')
    const [, digits, thousands] = TIER.exec(String(limit)) ?? []
    if (digits === undefined) return t('limit.unknown')
    const people = Number(digits) * (thousands === 'K' ? 1000 : 1)
    return t('limit.people', { people: numberText(people) })
  }
}

const CHECKS = [
  'account_verified',
  'number_verified',
  'name_verified',
  'webhook_subscribed',
  'webhook_received',
] as const

const CheckLine = ({
  account,
  field,
}: {
  readonly account: RowOf<'metaaccount'>
  readonly field: (typeof CHECKS)[number]
}) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const isDone = account[field]
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <HStack as="li" gap="2" minH="7" textStyle="dense" color={isDone ? 'fg' : 'fg.muted'}>
      <Box color={isDone ? 'positive.fg' : 'fg.subtle'}>
        <Icon size={15} aria-hidden="true" />
      </Box>
      {label.field('metaaccount', field)}
      {isDone ? null : <Text color="fg.subtle">{t('number.notyet')}</Text>}
    </HStack>
  )
}

/** Meta's data for a number at the last connection test. */
export const NumberFacts = ({ account }: { readonly account: RowOf<'metaaccount'> }) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const limit = useLimitText()
  const { verified_name: name, messaging_limit: tier, throughput, account_mode: mode, checked_at: checked } = account
  const of = (field: string) => label.field('metaaccount', field)
  return (
    <>
      <Box as="dl">
        <Fact label={of('verified_name')}>{name ?? '–'}</Fact>
        <Fact label={of('quality_rating')}>
          <QualityChip value={account.quality_rating} />
        </Fact>
        <Fact label={of('messaging_limit')}>{limit(tier)}</Fact>
        {account.limit_lowered_at === null ? null : (
          <Fact label={of('limit_lowered_at')}>
            {t('number.lowered', { before: limit(account.limit_before), time: agoOf(account.limit_lowered_at) })}
          </Fact>
        )}
        {account.number_status === null ? null : <Fact label={of('number_status')}>{account.number_status}</Fact>}
        {account.restriction === null ? null : (
          <Fact label={of('restriction')}>
            {[
              t(`number.restriction.${account.restriction}`, { defaultValue: account.restriction }),
              ...(account.restriction_at === null ? [] : [dayOf(account.restriction_at)]),
            ].join(' · ')}
          </Fact>
        )}
        <Fact label={of('throughput')}>{throughput ?? '–'}</Fact>
        <Fact label={of('account_mode')}>{mode ?? '–'}</Fact>
        <Fact label={t('number.seen')}>
          <SeenText account={account.id} />
        </Fact>
        <Fact label={of('checked_at')}>{checked === null ? t('number.nevertested') : agoOf(checked)}</Fact>
      </Box>
      <Box as="ul" listStyleType="none" px="4" py="2" borderTopWidth="1px">
        {CHECKS.map(field => (
          <CheckLine key={field} account={account} field={field} />
        ))}
      </Box>
    </>
  )
}
