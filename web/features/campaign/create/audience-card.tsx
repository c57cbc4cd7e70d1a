import { Field, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { agreedColumns } from '#domain/audience/contact-columns.ts'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { useLabel } from '#web/entity/label.ts'
import { contactsQuery } from '#web/features/contact/index.ts'
import { ReferencesPicker } from '#web/form/control/reference-picker.tsx'
import { countText } from '../report/delivery.ts'
import type { FieldColumns } from './create-query.ts'

const FIELDS = ['lists', 'segments', 'minuslists'] as const
/** Lists and segments that a campaign is sent to, and lists that it leaves out. */
export type CampaignAudience = Pick<RowOf<'campaign'>, (typeof FIELDS)[number]>

const TARGET = { lists: 'contactlist', segments: 'segment', minuslists: 'contactlist' } as const

export const audienceOf = ({ lists, segments, minuslists }: CampaignAudience): CampaignAudience => ({
  lists: lists ?? [],
  segments: segments ?? [],
  minuslists: minuslists ?? [],
})

/** Number of contacts of lists, and the columns of their fields. */
export const useLists = (lists: readonly string[]) => {
  const { can } = useSession()
  return useQueries({
    queries: lists.map(list => ({
      ...contactsQuery({ id: list, of: { list } }, 1, 1),
      enabled: can('readcontact'),
    })),
    combine: found => ({
      total: found.reduce((sum, { data }) => sum + (data?.total ?? 0), 0),
      names: Object.assign({}, ...found.map(({ data }) => data?.names ?? {}).toReversed()) as FieldColumns['names'],
      columns: agreedColumns(found.map(({ data }) => data?.columns ?? {})),
    }),
  })
}

interface Props {
  readonly value: CampaignAudience
  onChange(value: CampaignAudience): void
}

/** Saved lists and segments of a campaign. */
export const AudienceCard = ({ value, onChange }: Props) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const label = useLabel()
  const { total } = useLists(value.lists)
  const shown = FIELDS.filter(name => can(`read${TARGET[name]}`))
  if (shown.length === 0) return null
  return (
    <Card title={t('audience.title')}>
      <Stack px="4" pb="4" gap="3">
        <Text textStyle="dense" color="fg.muted">
          {t('audience.text')}
        </Text>
        <SimpleGrid columns={{ base: 1, md: 3 }} gap="4">
          {shown.map(name => (
            <Field.Root key={name}>
              <Field.Label id={`audience-${name}-label`} htmlFor={`audience-${name}`}>
                {label.field('campaign', name)}
              </Field.Label>
              <ReferencesPicker
                id={`audience-${name}`}
                to={TARGET[name]}
                within={{}}
                disabled={false}
                invalid={false}
                value={value[name]}
                onChange={next => onChange({ ...value, [name]: next })}
              />
              <Field.HelperText>
                {name === 'lists' && value.lists.length > 0
                  ? t('audience.listed', { count: total, shown: countText(total) })
                  : t(`audience.hint.${name}`)}
              </Field.HelperText>
            </Field.Root>
          ))}
        </SimpleGrid>
      </Stack>
    </Card>
  )
}
