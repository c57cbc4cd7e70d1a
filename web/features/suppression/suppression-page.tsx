import { Box, Button, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { BellOff, Download, FileUp } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isProblem } from '#web/api/failure.ts'
import { fileUrl } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorLine, ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { submits } from '#web/components/submits.ts'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { numberText } from '#web/format/number.ts'
import { momentOf } from '#web/format/time.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { useAddress } from '#web/page/use-address.ts'
import {
  numberQuery,
  type SuppressionAct,
  type SuppressionEntry,
  SuppressionForm,
  suppressionsQuery,
} from './suppression-form.tsx'

const SIZES = [25, 50, 100]
const TONES = { stop: 'danger', start: 'positive', pass: 'neutral' } as const

/** Cause of the stop, its place, and the campaign before it. */
const useFacts = ({ source, rule, category, campaign, channel }: SuppressionEntry) => {
  const { t } = useTranslation('suppression')
  const label = useLabel()
  const nameOf = ({ name, type, bot }: NonNullable<typeof channel>) => {
    const place = name || (type === '' || type === 'metaaccount' ? '' : label.option('channel', 'type', type))
    return [place, bot].filter(part => part !== '').join(' · ')
  }
  return {
    channel: channel === null ? '' : nameOf(channel),
    facts: [
      source === '' ? '' : t(`source.${source}`),
      rule === '' ? '' : t(`rule.${rule}`, { defaultValue: rule }),
      category === '*' ? t('scope.all') : '',
    ]
      .filter(part => part !== '')
      .join(' · '),
    campaign,
  }
}

const Entry = ({ entry }: { readonly entry: SuppressionEntry }) => {
  const { t } = useTranslation('suppression')
  const { kind, reason, time, name, ends, word } = entry
  const { facts, campaign, channel } = useFacts(entry)
  const known = ends !== ''
  return (
    <HStack
      as="li"
      gap="3"
      rowGap="1"
      px="4"
      py="2.5"
      align="start"
      borderTopWidth="1px"
      flexWrap="wrap"
      _first={{ borderTopWidth: 0 }}
    >
      <Box flex="1 1 200px" minW="0">
        <HStack gap="2" flexWrap="wrap">
          <Text textStyle="card" color={known ? undefined : 'fg.muted'} overflowWrap="anywhere">
            {known ? name || t('unnamed') : t('unknown')}
          </Text>
          <Chip tone={TONES[kind]}>{t(`kind.${kind}`)}</Chip>
        </HStack>
        {known ? (
          <Text textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('ends', { ends })}
          </Text>
        ) : null}
      </Box>
      <Box flex="2 1 260px" minW="0">
        {word === '' ? null : (
          <Text textStyle="dense" fontWeight="medium" overflowWrap="anywhere">
            {t('word', { word })}
          </Text>
        )}
        <Text textStyle={word === '' ? 'dense' : 'secondary'} color={word === '' ? undefined : 'fg.muted'}>
          {facts}
        </Text>
        {reason === '' ? null : (
          <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
            {reason}
          </Text>
        )}
      </Box>
      <Box flex="1 1 200px" minW="0" textStyle="secondary" color="fg.muted">
        {campaign === null ? null : (
          <Text overflowWrap="anywhere">
            {t('campaign')}{' '}
            <Link to={`/campaign/${campaign.id}`}>
              <chakra.span textDecoration="underline">{campaign.name}</chakra.span>
            </Link>
          </Text>
        )}
        {channel === '' ? null : <Text overflowWrap="anywhere">{channel}</Text>}
        <Text>{momentOf(time)}</Text>
      </Box>
    </HStack>
  )
}

const Entries = ({ entries }: { readonly entries: readonly SuppressionEntry[] }) => (
  <Box as="ul" listStyleType="none" borderWidth="1px" borderRadius="lg" bg="bg.surface">
    {entries.map(entry => (
      <Entry key={`${entry.time} ${entry.kind} ${entry.source}`} entry={entry} />
    ))}
  </Box>
)

/** State of one number, with its history. */
const Found = ({ search, onLift }: { readonly search: string; onLift(phone: string): void }) => {
  const { t } = useTranslation('suppression')
  const { can } = useSession()
  const found = useQuery(numberQuery(search))
  if (found.error && isProblem(found.error) && found.error.status === 422)
    return <ErrorLine text={found.error.errors[0]?.message ?? found.error.message} />
  if (found.error && found.data === undefined)
    return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <RowsSkeleton rows={2} />
  const { phone, marketing, utility, history } = found.data
  const standing = utility ? 'nothing' : marketing ? 'nomarketing' : 'everything'
  return (
    <chakra.section aria-label={phone} mb="4">
      <HStack gap="3" mb="3" flexWrap="wrap" role="status">
        <Text textStyle="card" fontVariantNumeric="tabular-nums">
          {phone}
        </Text>
        <Chip tone={marketing || utility ? 'danger' : 'positive'}>{t(`standing.${standing}`)}</Chip>
        {(marketing || utility) && can('updatesuppression') ? (
          <Button size="sm" onClick={() => onLift(phone)}>
            {t('lift.open')}
          </Button>
        ) : null}
      </HStack>
      {history.length === 0 ? <Text color="fg.muted">{t('nohistory')}</Text> : <Entries entries={history} />}
    </chakra.section>
  )
}

const Listed = () => {
  const { t } = useTranslation('suppression')
  const { params, put } = useAddress()
  const page = Math.max(1, Number(params.get('page')) || 1)
  const size = SIZES.find(one => String(one) === params.get('size')) ?? 25
  const list = useQuery(suppressionsQuery(page, size))
  if (list.error && list.data === undefined)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <RowsSkeleton rows={6} />
  const { items, total, bysource } = list.data
  if (total === 0)
    return (
      <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyState icon={BellOff} title={t('empty')} text={t('emptytext')} />
      </Box>
    )
  return (
    <>
      <SimpleGrid as="dl" columns={{ base: 2, sm: 3, lg: 6 }} gap="2.5" mb="4">
        {bysource.map(({ source, count }) => (
          <Box key={source} borderWidth="1px" borderRadius="lg" bg="bg.surface" px="3.5" py="2.5">
            <chakra.dt textStyle="secondary" color="fg.muted">
              {t(`source.${source}`)}
            </chakra.dt>
            <chakra.dd textStyle="title" fontVariantNumeric="tabular-nums">
              {numberText(count)}
            </chakra.dd>
          </Box>
        ))}
      </SimpleGrid>
      <Entries entries={items} />
      <Pagination
        state={{ page, size }}
        total={total}
        onChange={({ page: next = 1, size: rows = size }) => put({ page: String(next), size: String(rows) })}
      />
    </>
  )
}

/** /campaignmanagement/suppression: numbers that get no campaigns. */
export const SuppressionPage = () => {
  const { t } = useTranslation(['suppression', 'shell', 'tool'])
  const { can } = useSession()
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [act, setAct] = useState<{ readonly act: SuppressionAct; readonly phone?: string }>()
  const isReady = useEntityTextsReady(['channel'])
  if (!can('readsuppression')) return <ErrorMessage code="403" />
  if (!isReady) return <PageSkeleton />
  return (
    <Page
      title={t('shell:menu.suppression')}
      purpose={t('tool:purpose.suppression')}
      actions={
        <HStack gap="2" flexWrap="wrap">
          {can('exportcontact') ? (
            <Button asChild>
              <a href={fileUrl('/suppression/export')} download>
                <Download size={15} aria-hidden="true" />
                {t('export')}
              </a>
            </Button>
          ) : null}
          {can('updatesuppression') ? (
            <>
              <Button onClick={() => setAct({ act: 'import' })}>
                <FileUp size={15} aria-hidden="true" />
                {t('import.open')}
              </Button>
              <Button variant="solid" onClick={() => setAct({ act: 'add' })}>
                <BellOff size={15} aria-hidden="true" />
                {t('add.open')}
              </Button>
            </>
          ) : null}
        </HStack>
      }
    >
      <chakra.form mb="4" onSubmit={submits(() => setSearch(typed.trim()))}>
        <HStack gap="2" maxW={{ md: '460px' }}>
          <SearchField
            label={t('search.label')}
            value={typed}
            input={{ inputMode: 'tel', autoComplete: 'off', maxLength: 100 }}
            onChange={text => {
              setTyped(text)
              if (text === '') setSearch('')
            }}
          />
          <Button type="submit">{t('search.do')}</Button>
        </HStack>
      </chakra.form>
      {search === '' ? null : <Found search={search} onLift={phone => setAct({ act: 'lift', phone })} />}
      <Listed />
      {act === undefined ? null : <SuppressionForm {...act} onClose={() => setAct(undefined)} />}
    </Page>
  )
}
