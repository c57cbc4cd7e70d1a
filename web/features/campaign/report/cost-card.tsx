import { Box, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { Card, Fact } from '#web/components/card.tsx'
import { useLabel } from '#web/entity/label.ts'
import { countryText, moneyText } from '#web/format/number.ts'
import type { Statistics } from './campaign-query.ts'
import { countText } from './delivery.ts'

/** Lines by category and country that are shown. */
const SHOWN = 6

interface AmountProps {
  readonly label: string
  readonly amount: string
  readonly currency: string
  readonly count: number
}

const Amount = ({ label, amount, currency, count }: AmountProps) => {
  const { t } = useTranslation('campaign')
  return (
    <Fact label={label}>
      <Text fontWeight="semibold">{moneyText(amount, currency)}</Text>
      <Text textStyle="secondary" color="fg.muted">
        {t('cost.messages', { count, shown: countText(count) })}
      </Text>
    </Fact>
  )
}

/** Messages by category and country, the first ones. */
export const PricedCounts = ({ counts }: Pick<Statistics['cost'], 'counts'>) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  return counts.slice(0, SHOWN).map(({ category, country, count }) => {
    const kind = label.texts('pricelist', 'rows').member?.('category').option(category)
    const place = countryText(country) ?? t('review.anycountry')
    return (
      <Fact key={`${category} ${country}`} label={`${kind}, ${place}`}>
        {countText(count)}
      </Fact>
    )
  })
}

/** Cost of the messages by receipts, and separately by price lists. */
export const CostCard = ({ cost }: { readonly cost: Statistics['cost'] }) => {
  const { t } = useTranslation('campaign')
  const { counts, reported, computed } = cost
  return (
    <Card title={t('cost.title')}>
      {counts.length === 0 ? (
        <Text px="4" pb="4" textStyle="dense" color="fg.muted">
          {t('cost.none')}
        </Text>
      ) : null}
      <dl>
        {reported.map(one => (
          <Amount key={one.currency} label={t('cost.reported')} {...one} />
        ))}
        {computed.map(({ list, ...one }) => (
          <Amount key={list.id} label={t('cost.computed', { name: list.name })} {...one} />
        ))}
        <PricedCounts counts={counts} />
      </dl>
      <Box px="4" py="2" textStyle="secondary" color="fg.muted" hidden={counts.length === 0}>
        {(['free', 'open', 'unpriced'] as const)
          .filter(name => cost[name] > 0)
          .map(name => (
            <Text key={name}>{t(`cost.${name}`, { count: cost[name], shown: countText(cost[name]) })}</Text>
          ))}
      </Box>
    </Card>
  )
}
