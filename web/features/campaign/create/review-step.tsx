import { Box, Button, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleX, Clock, RotateCcw, Unlink } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { useSession } from '#web/api/session.ts'
import { Card, Fact } from '#web/components/card.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { isInBody, useVariableName } from '#web/entity/form/template/variable-name.ts'
import { bytesOf, moneyText } from '#web/format/number.ts'
import { durationOf, momentOf } from '#web/format/time.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { TextLink } from '#web/page/text-link.ts'
import { type Review, reviewQuery } from '../report/campaign-query.ts'
import { PricedCounts } from '../report/cost-card.tsx'
import { countText, DELIVERY, shareText } from '../report/delivery.ts'
import { TestCard } from './test-card.tsx'

const EditContactById = lazyPart(async () => (await import('#web/features/contact/index.ts')).EditContactById)

interface BarProps {
  readonly ready: number
  readonly total: number
  /** The rest is not checked yet, instead of not sent. */
  readonly isRunning?: boolean
}

const Bar = ({ ready, total, isRunning = false }: BarProps) => (
  <HStack h="14px" gap="2px" borderRadius="5px" overflow="hidden" bg="bg.sunken" aria-hidden="true">
    {ready === 0 ? null : <Box h="100%" flexBasis="0" bg="positive.solid" style={{ flexGrow: ready }} />}
    {total === ready ? null : (
      <Box
        h="100%"
        minW="3px"
        flexBasis="0"
        style={{ flexGrow: total - ready }}
        {...(isRunning ? { bg: 'bg.sunken' } : DELIVERY.failed.fill)}
      />
    )}
  </HStack>
)

type Omitted = Review['notsent'][number]

type Example = Omitted['examples'][number]

/** The contacts that are named, of one variable or of a reason: lines of files, or places in the list of contacts. */
const useLines = () => {
  const { t } = useTranslation('campaign')
  return ({ examples, count }: Omitted, variable: string | null): string => {
    const shown = examples.filter(one => one.variable === variable)
    const parts = [...Map.groupBy(shown, ({ file }) => file)].map(([file, some]) => {
      const lines = some.map(({ line }) => countText(line)).join(', ')
      return t(file === null ? 'review.places' : 'review.lines', { count: some.length, lines, file })
    })
    return `${parts.join('; ')}${shown.length < count ? '…' : ''}`
  }
}

const keyOf = ({ file }: Example) => (file === null ? 'review.editplace' : 'review.editcontact')

interface Mending {
  /** Opens the values of the variables. */
  readonly onMend: () => void
  /** Opens a contact; undefined for those who may not change contacts. */
  readonly onContact: ((contact: string) => void) | undefined
}

const Reason = ({ one, onMend, onContact }: Mending & { readonly one: Omitted }) => {
  const { t } = useTranslation('campaign')
  const variableName = useVariableName()
  const linesOf = useLines()
  if (one.variables.length === 0)
    return (
      <Text textStyle="secondary" color="fg.muted">
        {linesOf(one, null)}
      </Text>
    )
  return (
    <Stack gap="1" align="start">
      {one.variables.map(({ variable, count }) => (
        <Text key={variable} textStyle="secondary" color="fg.muted">
          {t('review.variable', {
            ...{ count, shown: countText(count) },
            name: isInBody(variable) ? `{{${variable}}}` : `“${variableName(variable)}”`,
          })}
          {': '}
          {linesOf({ ...one, count }, variable)}
        </Text>
      ))}
      <HStack gap="2" flexWrap="wrap">
        <Button size="sm" onClick={onMend}>
          {t('review.setdefault')}
        </Button>
        {onContact === undefined
          ? null
          : one.examples.map(example => (
              <Button key={example.contact} size="sm" variant="ghost" onClick={() => onContact(example.contact)}>
                {t(keyOf(example), { line: countText(example.line) })}
              </Button>
            ))}
      </HStack>
    </Stack>
  )
}

const NotSent = ({ one, ...mending }: Mending & { readonly one: Omitted }) => {
  const { t } = useTranslation('campaign')
  return (
    <HStack as="li" px="4" py="3" gap="3" borderTopWidth="1px" textStyle="dense" align="start">
      <Box
        boxSize="30px"
        display="grid"
        placeItems="center"
        borderRadius="md"
        bg="danger.subtle"
        color="danger.fg"
        flex="none"
      >
        <CircleX size={15} aria-hidden="true" />
      </Box>
      <Text minW="9" textAlign="end" textStyle="card" fontVariantNumeric="tabular-nums">
        {countText(one.count)}
      </Text>
      <Box flex="1" minW="0">
        <Text>{one.text}</Text>
        <Reason one={one} {...mending} />
      </Box>
      <Text color="fg.muted">{t('review.notsent', { count: one.count })}</Text>
    </HStack>
  )
}

const Later = ({ later }: { readonly later: Review['later'] }) => {
  const { t } = useTranslation('campaign')
  if (later.length === 0) return null
  return (
    <Box as="ul" listStyleType="none" aria-label={t('review.later')}>
      {later.map(({ code, count, at }) => (
        <HStack key={code} as="li" px="4" py="3" gap="3" borderTopWidth="1px" textStyle="dense">
          <Box boxSize="30px" display="grid" placeItems="center" borderRadius="md" bg="bg.subtle" flex="none">
            <Clock size={15} aria-hidden="true" />
          </Box>
          <Text>{t(`review.${code}`, { count, shown: countText(count), time: momentOf(at) })}</Text>
        </HStack>
      ))}
    </Box>
  )
}

type CheckedLinks = NonNullable<Review['media']>

/** Addresses of files that the provider will not load. The messages are sent nevertheless, and fail there. */
const Links = ({ media, onMend, onContact }: Mending & { readonly media: CheckedLinks }) => {
  const { t } = useTranslation('campaign')
  const variableName = useVariableName()
  const { faults, unchecked } = media
  return (
    <Box as="ul" listStyleType="none" aria-label={t('review.links')}>
      {faults.map(({ code, detail, count, variables, url, example }) => (
        <HStack
          key={`${variables.join(' ')} ${example.contact}`}
          as="li"
          px="4"
          py="3"
          gap="3"
          borderTopWidth="1px"
          textStyle="dense"
          align="start"
        >
          <Box
            boxSize="30px"
            display="grid"
            placeItems="center"
            borderRadius="md"
            bg="warning.subtle"
            color="warning.fg"
            flex="none"
          >
            <Unlink size={15} aria-hidden="true" />
          </Box>
          <Stack gap="1" align="start" flex="1" minW="0">
            <Text>
              {t(`review.link.${code}`, {
                name: variables.map(variableName).join(', '),
                detail: code === 'size' ? bytesOf(Number(detail)) : detail || t('review.link.notype'),
                interpolation: { escapeValue: false },
              })}
            </Text>
            <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
              {url === null ? null : `${url} · `}
              {t('review.linkcount', { count, shown: countText(count) })}
            </Text>
            {url !== null ? (
              <Button size="sm" onClick={onMend}>
                {t('review.changelink')}
              </Button>
            ) : onContact === undefined ? null : (
              <Button size="sm" onClick={() => onContact(example.contact)}>
                {t(keyOf(example), { line: countText(example.line) })}
              </Button>
            )}
          </Stack>
        </HStack>
      ))}
      {unchecked === 0 ? null : (
        <Text as="li" px="4" py="3" borderTopWidth="1px" textStyle="secondary" color="fg.muted">
          {t('review.unchecked', { count: unchecked, shown: countText(unchecked) })}
        </Text>
      )}
    </Box>
  )
}

/** Number of recipients of a run, now or later. */
export const sendableOf = ({ ready, later }: Review): number => later.reduce((sum, { count }) => sum + count, ready)

const Reviewing = ({ progress }: { readonly progress: NonNullable<Review['progress']> }) => {
  const { t } = useTranslation('campaign')
  return (
    <Card title={t('review.title')}>
      <Box px="4" pb="4">
        <Text role="status" textStyle="dense" color="fg.muted" mb="3">
          {t('review.reviewing', { done: countText(progress.done), total: countText(progress.total) })}
        </Text>
        <Bar ready={progress.done} total={progress.total} isRunning />
      </Box>
    </Card>
  )
}

/** Effect of the account's limit on these recipients. */
const LimitCard = ({ review }: { readonly review: Review }) => {
  const { t } = useTranslation('campaign')
  const { limit } = review
  const days = limit === null || limit === 0 ? 1 : Math.ceil(sendableOf(review) / limit)
  const beyond = review.later.reduce((sum, { code, count }) => (code === 'limit' ? sum + count : sum), 0)
  return (
    <Card title={t('review.limittitle')}>
      <Text px="4" pb="4" textStyle="dense" color={days > 1 || beyond > 0 ? 'warning.fg' : 'fg.muted'}>
        {limit === null
          ? t('review.nolimit')
          : days > 1
            ? t('review.overlimit', { limit: countText(limit), days })
            : beyond > 0
              ? t('review.partlimit', { limit: countText(limit), count: beyond, shown: countText(beyond) })
              : t('review.inlimit', { limit: countText(limit) })}
      </Text>
    </Card>
  )
}

const EndCard = ({ row, review }: { readonly row: RowOf<'campaign'>; readonly review: Review }) => {
  const { t } = useTranslation('campaign')
  const isScheduled = Boolean(row.cron_expression)
  const end = new Date(Date.now() + review.seconds * 1000).toISOString()
  return (
    <Card title={t('review.endtitle')}>
      <Text px="4" pb="4" textStyle="dense" color="fg.muted">
        {t('review.takes', {
          count: Math.round(review.rate),
          rate: countText(Math.round(review.rate)),
          time: durationOf(Math.max(review.seconds, 1) * 1000),
        })}{' '}
        {isScheduled ? t('review.byschedule') : t('review.ends', { time: momentOf(end) })}
      </Text>
    </Card>
  )
}

/** Highest cost of the messages, by the price list of the level. */
const EstimateCard = ({ cost }: { readonly cost: NonNullable<Review['cost']> }) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const { counts, list, atmost, unpriced, free } = cost
  return (
    <Card title={t('review.costtitle')}>
      <Box px="4" pb="3">
        {free ? <Text textStyle="dense">{t('review.free')}</Text> : null}
        {free || list === null || atmost === null ? null : (
          <>
            <Text textStyle="title" fontVariantNumeric="tabular-nums">
              {t('review.atmost', { amount: moneyText(atmost, list.currency) })}
            </Text>
            <Text textStyle="secondary" color="fg.muted">
              {t('review.list', { name: list.name, from: list.from })}
            </Text>
          </>
        )}
        {unpriced === 0 || free ? null : (
          <Text textStyle="dense" color="warning.fg">
            {t('review.unpriced', { count: unpriced, shown: countText(unpriced) })}
          </Text>
        )}
        {list !== null || free ? null : (
          <Text textStyle="dense" color="fg.muted">
            {t('review.nolist')}{' '}
            {can('createpricelist') ? (
              <TextLink to="/pricelist" textDecoration="underline">
                {t('review.addlist')}
              </TextLink>
            ) : null}
          </Text>
        )}
      </Box>
      <dl>
        <PricedCounts counts={counts} />
      </dl>
    </Card>
  )
}

/** Recipients of each template of a comparison. */
const VariantsCard = ({ variants }: { readonly variants: NonNullable<Review['variants']> }) => {
  const { t } = useTranslation('campaign')
  return (
    <Card title={t('review.comparetitle')}>
      <dl>
        {(['a', 'b', 'rest'] as const).map(part => (
          <Fact key={part} label={t(`compare.${part}`)}>
            {t('compare.count', { count: variants[part], shown: countText(variants[part]) })}
          </Fact>
        ))}
      </dl>
    </Card>
  )
}

interface ResultProps extends Mending {
  readonly review: Review
  readonly isFetching: boolean
  onAgain(): void
}

/** Counts of recipients: now, later, and omitted ones with their reasons. */
const Result = ({ review, isFetching, onAgain, ...mending }: ResultProps) => {
  const { t } = useTranslation('campaign')
  const { total, ready } = review
  const sendable = sendableOf(review)
  const without = total - sendable
  return (
    <Card
      title={t('review.title')}
      beside={
        <Button variant="outline" loading={isFetching} onClick={onAgain}>
          <RotateCcw size={15} aria-hidden="true" />
          {t('review.again')}
        </Button>
      }
    >
      <Box px="4" pb="4">
        <Text textStyle="dense" color="fg.muted" mb="3">
          {t('review.text')}
        </Text>
        {review.settles ? null : (
          <Text role="note" textStyle="dense" color="warning.fg" mb="3">
            {t('review.unsettled')}
          </Text>
        )}
        <Bar ready={sendable} total={total} />
        <HStack mt="2" gap="5" flexWrap="wrap" textStyle="dense" fontVariantNumeric="tabular-nums">
          <Text>{t('review.ready', { count: ready, shown: countText(ready) })}</Text>
          <Text>
            {t('review.without', { count: without, shown: countText(without), share: shareText(without, total) })}
          </Text>
        </HStack>
      </Box>
      <Later later={review.later} />
      <Box as="ul" listStyleType="none">
        {review.notsent.map(one => (
          <NotSent key={one.code} one={one} {...mending} />
        ))}
      </Box>
      {review.media === null ? null : <Links media={review.media} {...mending} />}
    </Card>
  )
}

/** Dry run over all contacts: recipients, omissions with reasons, and duration. Sends nothing. */
export const ReviewStep = ({ row, onMend }: { readonly row: RowOf<'campaign'>; readonly onMend: () => void }) => {
  const { can } = useSession()
  const [contact, setContact] = useState<string>()
  const { data, error, refetch, isFetching } = useQuery(reviewQuery(row.id))
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <RowsSkeleton />
  if (data.progress !== null) return <Reviewing progress={data.progress} />
  const again = () => void refetch()
  const close = () => {
    setContact(undefined)
    again()
  }
  return (
    <Stack gap="4">
      <Result
        review={data}
        isFetching={isFetching}
        onAgain={again}
        onMend={onMend}
        onContact={can('updatecontact') ? setContact : undefined}
      />
      <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
        <EndCard row={row} review={data} />
        <LimitCard review={data} />
        {data.cost === null ? null : <EstimateCard cost={data.cost} />}
        {data.variants === null ? null : <VariantsCard variants={data.variants} />}
      </SimpleGrid>
      {can('testcampaign') && data.total > 0 ? (
        <TestCard campaign={row.id} isCompared={Boolean(row.template_b)} />
      ) : null}
      {contact === undefined ? null : (
        <Suspense fallback={null}>
          <EditContactById campaign={row} contact={contact} onClose={close} />
        </Suspense>
      )}
    </Stack>
  )
}
