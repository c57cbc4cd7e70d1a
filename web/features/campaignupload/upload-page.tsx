import { Box, Button, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  ArrowLeft,
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Download,
  FileUp,
  LoaderCircle,
  type LucideIcon,
  Users,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { campaignuploadprofile } from '#schemas/entities/campaignuploadprofile.ts'
import type { RowOf } from '#schemas/row.ts'
import { fileUrl } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { ErrorLine } from '#web/components/error-state.tsx'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { EntityDetail } from '#web/entity/form/entity-detail.tsx'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { mapContactsAddress, useHolderReturn } from '#web/features/contact/index.ts'
import { numberText } from '#web/format/number.ts'
import { durationOf, momentOf } from '#web/format/time.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useLevelOf } from '#web/shell/level.ts'

const REFETCH_INTERVAL_MS = 1_000
const ENTITY = 'campaignupload'
const UNDER_WAY: ReadonlySet<unknown> = new Set(['received', 'running'])
const STEPS = ['pre_status', 'validation_status', 'post_status'] as const
const COUNTS = ['read', 'valid', 'invalid', 'dropped', 'present', 'repeated', 'suppressed', 'added'] as const

type Tone = 'neutral' | 'accent' | 'positive' | 'warning' | 'danger'

const LOOK: Readonly<Record<string, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  received: { icon: CircleDashed, tone: 'neutral' },
  pending: { icon: CircleDashed, tone: 'neutral' },
  running: { icon: LoaderCircle, tone: 'accent' },
  succeeded: { icon: CircleCheck, tone: 'positive' },
  partial: { icon: CircleAlert, tone: 'warning' },
  failed: { icon: CircleAlert, tone: 'danger' },
  skipped: { icon: Ban, tone: 'neutral' },
  cancelled: { icon: Ban, tone: 'neutral' },
}

const Standing = ({ field, value }: { readonly field: string; readonly value: unknown }) => {
  const label = useLabel()
  const { icon: Icon, tone } = LOOK[String(value)] ?? { icon: CircleDashed, tone: 'neutral' as const }
  return (
    <Chip tone={tone} icon={Icon}>
      {label.option(ENTITY, field, String(value))}
    </Chip>
  )
}

const Steps = ({ row }: { readonly row: RowOf<'campaignupload'> }) => {
  const { t } = useTranslation('entity/campaignupload')
  const label = useLabel()
  return (
    <chakra.section aria-labelledby="steps" borderWidth="1px" borderRadius="lg" bg="bg.surface" mb="4">
      <Text as="h2" id="steps" textStyle="card" px="4" pt="3" pb="2">
        {t('section.steps.title')}
      </Text>
      <Box as="ol" listStyleType="none">
        {STEPS.map((step, place) => (
          <HStack key={step} as="li" gap="3" px="4" py="2.5" borderTopWidth="1px">
            <Text color="fg.muted" fontVariantNumeric="tabular-nums" aria-hidden="true">
              {place + 1}
            </Text>
            <Text flex="1" textStyle="dense">
              {label.field(ENTITY, step)}
            </Text>
            <Standing field={step} value={row[step]} />
          </HStack>
        ))}
      </Box>
    </chakra.section>
  )
}

/** The entity counts numbers that were in the campaign before, and repeated lines, together. */
const countOf = (row: RowOf<'campaignupload'>, name: (typeof COUNTS)[number]): number =>
  name === 'present' ? Number(row.duplicate ?? 0) - Number(row.repeated ?? 0) : Number(row[name] ?? 0)

const Counts = ({ row }: { readonly row: RowOf<'campaignupload'> }) => {
  const label = useLabel()
  const { t } = useTranslation('contact')
  return (
    <SimpleGrid as="dl" columns={{ base: 2, sm: 4, lg: 8 }} gap="2.5" mb="4">
      {COUNTS.map(name => {
        const count = countOf(row, name)
        const tone =
          name === 'invalid' && count > 0 ? 'danger.fg' : name === 'added' && count > 0 ? 'positive.fg' : 'fg'
        return (
          <Box
            key={name}
            display="flex"
            flexDirection="column"
            justifyContent="space-between"
            borderWidth="1px"
            borderRadius="lg"
            bg="bg.surface"
            px="3.5"
            py="2.5"
          >
            <chakra.dt textStyle="secondary" color="fg.muted">
              {name === 'present' ? t('upload.present') : label.field(ENTITY, name)}
            </chakra.dt>
            <chakra.dd textStyle="title" color={tone} fontVariantNumeric="tabular-nums">
              {numberText(count)}
            </chakra.dd>
          </Box>
        )
      })}
    </SimpleGrid>
  )
}

const Times = ({ row }: { readonly row: RowOf<'campaignupload'> }) => {
  const label = useLabel()
  const { started, finished, time_taken: taken, campaign, contactlist, campaignuploadprofile: profile } = row
  const facts = [
    ...(typeof campaign === 'string'
      ? [['campaign', <ReferenceName key="c" to="campaign" id={campaign} />] as const]
      : []),
    ...(typeof contactlist === 'string'
      ? [['contactlist', <ReferenceName key="l" to="contactlist" id={contactlist} />] as const]
      : []),
    ...(typeof profile === 'string'
      ? [['campaignuploadprofile', <ReferenceName key="p" to="campaignuploadprofile" id={profile} />] as const]
      : []),
    ...(typeof started === 'string' ? [['started', momentOf(started)] as const] : []),
    ...(typeof finished === 'string' ? [['finished', momentOf(finished)] as const] : []),
    ...(typeof taken === 'number' ? [['time_taken', durationOf(taken)] as const] : []),
  ]
  return (
    <chakra.dl display="grid" gridTemplateColumns="auto 1fr" gapX="4" gapY="1.5" textStyle="dense">
      {facts.map(([name, value]) => (
        <Box key={name} display="contents">
          <chakra.dt color="fg.muted">{label.field(ENTITY, name)}</chakra.dt>
          <dd>{value}</dd>
        </Box>
      ))}
    </chakra.dl>
  )
}

const CampaignLinks = ({ campaign }: { readonly campaign: string }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const addresses = useHolderReturn({ kind: 'campaign', id: campaign })
  return (
    <>
      <Button asChild>
        <Link to={addresses.contacts}>
          <Users size={15} aria-hidden="true" />
          {t('title')}
        </Link>
      </Button>
      {can('readcampaign') ? (
        <Button variant="solid" asChild>
          <Link to={addresses.campaign}>
            <ArrowLeft size={15} aria-hidden="true" />
            {t('back')}
          </Link>
        </Button>
      ) : null}
    </>
  )
}

const ListLink = ({ list }: { readonly list: string }) => {
  const { t } = useTranslation('contact')
  return (
    <Button variant="solid" asChild>
      <Link to={`/contactlist/${list}`}>
        <ArrowLeft size={15} aria-hidden="true" />
        {t('backtolist')}
      </Link>
    </Button>
  )
}

const Actions = ({ row }: { readonly row: RowOf<'campaignupload'> }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  if (!can('readcontact')) return null
  const { invalid, duplicate, campaign, contactlist } = row
  return (
    <>
      {Number(invalid ?? 0) + Number(duplicate ?? 0) > 0 && !UNDER_WAY.has(row.status) ? (
        <Button asChild>
          <a href={fileUrl('/campaignupload/{id}/rejects', { params: { id: row.id } })} download>
            <Download size={15} aria-hidden="true" />
            {t('upload.rejects')}
          </a>
        </Button>
      ) : null}
      {typeof campaign === 'string' ? <CampaignLinks campaign={campaign} /> : null}
      {typeof contactlist === 'string' ? <ListLink list={contactlist} /> : null}
    </>
  )
}

const Shown = ({ row }: { readonly row: RowOf<'campaignupload'> }) => {
  useLevelOf(ENTITY, row)
  const { name, status, error_message: error } = row
  return (
    <Page
      title={String(name)}
      name={String(name)}
      beside={
        <Box role="status">
          <Standing field="status" value={status} />
        </Box>
      }
      actions={<Actions row={row} />}
      width={1080}
    >
      {typeof error === 'string' && error !== '' ? (
        <Box mb="4">
          <ErrorLine text={error} />
        </Box>
      ) : null}
      <Counts row={row} />
      <Steps row={row} />
      <Times row={row} />
    </Page>
  )
}

/** An upload: its three steps, what came of its records and how long it took, live while it runs. */
export const UploadPage = () => {
  const { id = '' } = useParams()
  const { can } = useSession()
  const isReady = useEntityTextsReady([ENTITY])
  const upload = useQuery({
    ...detailQuery(ENTITY, id),
    refetchInterval: ({ state }) => (UNDER_WAY.has(state.data?.status) ? REFETCH_INTERVAL_MS : false),
  })
  if (!can(`read${ENTITY}`)) return <ErrorMessage code="403" />
  if (upload.error && upload.data === undefined)
    return <PageLoadError error={upload.error} onRetry={() => void upload.refetch()} />
  if (upload.data === undefined || !isReady) return <PageSkeleton />
  return <Shown row={upload.data} />
}

/** To a file that is tried and taken by the rules of the profile. */
const SendFile = ({ row: { id, campaign_id: campaign } }: { readonly row: Row }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  if (typeof campaign !== 'string' || !can('createcontact')) return null
  return (
    <Button asChild>
      <Link to={mapContactsAddress({ kind: 'campaign', id: campaign }, id)}>
        <FileUp size={15} aria-hidden="true" />
        {t('upload.do')}
      </Link>
    </Button>
  )
}

/** An upload profile: its form, and the way to a file that follows its rules. */
export const UploadProfilePage = () => {
  const { id = '' } = useParams()
  return (
    <EntityDetail
      entity={campaignuploadprofile}
      id={id}
      listAt="/campaignuploadprofile/search"
      actions={row => <SendFile row={row} />}
    />
  )
}
