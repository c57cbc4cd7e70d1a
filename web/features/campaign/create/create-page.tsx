import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileSpreadsheet, FileUp, UserPlus, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { agreedColumns } from '#domain/audience/contact-columns.ts'
import { type MappedVariable, mappingOf, templateVariables } from '#domain/campaign/message-body.ts'
import { registrationOf, templateOf } from '#domain/template/template.ts'
import { campaign } from '#schemas/entities/campaign.ts'
import type { RowOf } from '#schemas/row.ts'
import { failureOf, isProblem, type LocalizedFieldProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { PageSkeleton } from '#web/components/page-skeleton.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { EntityForm } from '#web/entity/form/entity-form.tsx'
import { useEntityForm } from '#web/entity/form/use-entity-form.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { reviewQuery } from '#web/features/campaign/report/campaign-query.ts'
import { AddPersonas } from '#web/features/simulatednumber/index.ts'
import { UnsavedPrompt } from '#web/form/unsaved-prompt.tsx'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { Redirect } from '#web/page/redirect.tsx'
import { useAddress, useGuardedNavigate } from '#web/page/use-address.ts'
import { accountAt, accountsOf, useAccounts, useTemplateChannels } from '../app/app-query.ts'
import { countText } from '../report/delivery.ts'
import { AudienceCard, audienceOf, type CampaignAudience, useLists } from './audience-card.tsx'
import { Frame, isStep, type Step } from './create-layout.tsx'
import { type FieldColumns, type Sender, useChangeCampaign, useContacts, useTemplateRow } from './create-query.ts'
import { ReviewStep, sendableOf } from './review-step.tsx'
import { RowPreview } from './row-preview.tsx'
import { type TemplateChoice, TemplateStep } from './template-step.tsx'
import { completeMapping, VariableTable } from './variable-table.tsx'

/** Props of the steps after the first. */
interface PartProps {
  readonly row: RowOf<'campaign'>
  readonly template: RowOf<'template'>
  /** The template that it is compared with. */
  readonly other: RowOf<'template'> | undefined
  readonly variables: readonly string[]
  /** Examples that Meta was given for the body, by variable. */
  readonly examples: ReadonlyMap<string, string>
  readonly mapping: readonly MappedVariable[]
  /** Contacts; undefined to who may not read them. */
  readonly count: number | undefined
  /** Of the campaign's own contacts. */
  readonly imported: FieldColumns
  readonly done: Readonly<Partial<Record<Step, string>>>
  onGo(step: Step): void
}

const SHOWN = new Set(['schedule', 'window', 'limits'])
const HIDDEN: ReadonlySet<string> = new Set(
  campaign.form.flatMap(({ id, fields }) => (SHOWN.has(id) ? [] : fields.map(String))),
)
const NOTHING = {}

/** The third step: schedule, hours, pace and limits, as the form of the campaign has them. */
const SchedulePart = ({ row, template, other, variables, mapping, done, onGo }: PartProps) => {
  const { t } = useTranslation('campaign')
  const state = useEntityForm({ entity: campaign, row, fixed: NOTHING, onCreated: () => {} })
  const [isLeaving, setLeaving] = useState(false)
  const { failure, busy } = state
  const isClean = state.dirty.length === 0
  useEffect(() => {
    if (!isLeaving || busy) return
    if (isClean) onGo('review')
    else setLeaving(false)
  }, [isLeaving, busy, isClean, onGo])
  const next = async () => {
    if (!isClean) await state.save()
    setLeaving(true)
  }
  return (
    <Frame
      step="when"
      name={row.name}
      account={row.metaaccount}
      done={done}
      aside={<RowPreview {...{ other, variables, mapping }} row={template} lists={row.lists} campaign={row.id} />}
      error={undefined}
      busy={busy}
      verb={t('create.continue')}
      onGo={onGo}
      onNext={() => void next()}
    >
      <EntityForm
        entity={campaign}
        id={row.id}
        form={state.form}
        creating={false}
        readOnly={false}
        dirty={state.dirty}
        errors={state.errors}
        failure={failure}
        refusals={state.refusals}
        conflicts={state.conflicts}
        onLeave={state.check}
        meanwhile={state.meanwhile}
        chosen={undefined}
        hidden={HIDDEN}
        onHistory={undefined}
      />
      <UnsavedPrompt />
    </Frame>
  )
}

/** The last step: the dry run, and the button that repeats how many get it. */
const ReviewPart = ({ row, template, other, variables, mapping, done, onGo }: PartProps) => {
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  const goOn = useGuardedNavigate()
  const change = useChangeCampaign()
  const { data } = useQuery(reviewQuery(row.id))
  const { isBusy: busy, failure, attempt } = useAttempt(t('create.notstarted'))
  const isScheduled = Boolean(row.cron_expression)
  const ready = data === undefined || data.progress !== null ? 0 : sendableOf(data)
  const may = isScheduled || can('startcampaign')
  const send = () =>
    attempt(async () => {
      if (!row.enabled) await change(row, { enabled: true })
      if (!isScheduled)
        await http.post('/{entity}/{id}/{action}', {
          params: { entity: 'campaign', id: row.id, action: 'start' },
          body: {},
        })
      await goOn(`/campaign/${row.id}`)
    })
  const verb = t(isScheduled ? 'create.schedule' : 'create.send', { count: ready, shown: countText(ready) })
  return (
    <Frame
      step="review"
      name={row.name}
      account={row.metaaccount}
      done={done}
      aside={<RowPreview {...{ other, variables, mapping }} row={template} lists={row.lists} campaign={row.id} />}
      error={failure}
      busy={busy}
      {...(may && (ready > 0 || isScheduled) ? { verb } : {})}
      onGo={onGo}
      onNext={() => void send()}
    >
      <ReviewStep row={row} onMend={() => onGo('contacts')} />
    </Frame>
  )
}

interface Props {
  readonly campaign: string
  readonly account: string | null
  readonly count: number | undefined
  readonly variables: readonly string[]
  readonly mapping: readonly MappedVariable[]
  readonly examples: ReadonlyMap<string, string>
  readonly imported: FieldColumns
  onMapping(mapping: readonly MappedVariable[]): void
  readonly audience: CampaignAudience
  onAudience(audience: CampaignAudience): void
}

/** Recipients, and the contact fields that fill the template. */
const ContactsStep = (props: Props) => {
  const { campaign, account, count, variables, mapping, examples, imported, onMapping, audience, onAudience } = props
  const { t } = useTranslation('campaign')
  const { can } = useSession()
  return (
    <Stack gap="4">
      <HStack bg="bg.surface" borderWidth="1px" borderRadius="lg" p="4" gap="3" flexWrap="wrap">
        <Box boxSize="34px" display="grid" placeItems="center" borderRadius="md" bg="bg.sunken" color="fg.muted">
          <Users size={17} aria-hidden="true" />
        </Box>
        <Box flex="1 1 180px">
          <Text textStyle="card">
            {count === undefined ? t('create.contacts') : t('create.contactcount', { count, shown: countText(count) })}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {t('create.contactstext')}
          </Text>
        </Box>
        <AddPersonas campaign={campaign} account={account} isFurther={count !== 0} />
        {can('createcontact') ? (
          <>
            <Button asChild variant="outline">
              <Link to={`/campaignmanagement/contact/map/${campaign}?step=contacts`}>
                <FileUp size={15} aria-hidden="true" />
                {t('create.uploadcontacts')}
              </Link>
            </Button>
            <Button asChild variant="outline">
              <Link to={`/campaignmanagement/contact/add/${campaign}?step=contacts`}>
                <UserPlus size={15} aria-hidden="true" />
                {t('create.addcontact')}
              </Link>
            </Button>
          </>
        ) : null}
        {can('readcontact') ? (
          <Button asChild variant="outline">
            <Link to={`/campaignmanagement/contact/${campaign}?step=contacts`}>
              <FileSpreadsheet size={15} aria-hidden="true" />
              {t('create.opencontacts')}
            </Link>
          </Button>
        ) : null}
      </HStack>
      <AudienceCard value={audience} onChange={onAudience} />
      <VariableTable {...{ variables, mapping, examples, imported }} onChange={onMapping} />
    </Stack>
  )
}

/** The second step: contacts, and what of them fills the template. */
const ContactsPart = ({
  row,
  template,
  other,
  variables,
  examples,
  mapping,
  count,
  imported,
  done,
  onGo,
}: PartProps) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const change = useChangeCampaign()
  const [given, setOwn] = useState<readonly MappedVariable[]>()
  const [chosen, setAudience] = useState<CampaignAudience>()
  const audience = chosen ?? audienceOf(row)
  const lists = useLists(audience.lists)
  const fields: FieldColumns = {
    names: { ...lists.names, ...imported.names },
    columns: agreedColumns([lists.columns, imported.columns]),
  }
  const proposed = [...(other?.params ?? []), ...(template.params ?? [])]
  const sources = new Map(proposed.flatMap(({ name, source }) => (source ? [[String(name), source] as const] : [])))
  const own = given ?? completeMapping(variables, mapping, fields.names, sources)
  const { isBusy, failure, attempt } = useAttempt(t('shell:notsaved', { name: row.name }))
  // The button of this step is not that of the next one, which is drawn a moment later.
  const [isLeaving, setLeaving] = useState(false)
  const save = () =>
    attempt(async () => {
      await change(row, {
        ...audience,
        mapping: own.map(({ text, default: usual, ...one }) => ({
          ...one,
          default: usual === '' ? null : usual,
          ...(one.source === 'text' ? { text } : {}),
        })),
      })
      setLeaving(true)
      onGo('when')
    })
  return (
    <Frame
      step="contacts"
      name={row.name}
      account={row.metaaccount}
      done={done}
      aside={
        <RowPreview {...{ other, variables }} row={template} lists={audience.lists} campaign={row.id} mapping={own} />
      }
      error={failure}
      busy={isBusy || isLeaving}
      verb={t('create.continue')}
      onGo={onGo}
      onNext={() => void save()}
    >
      <ContactsStep
        campaign={row.id}
        account={row.metaaccount}
        count={count}
        variables={variables}
        mapping={own}
        examples={examples}
        imported={fields}
        onMapping={setOwn}
        audience={audience}
        onAudience={setAudience}
      />
    </Frame>
  )
}

/** Summary of each finished step. */
const useDone = (
  row: RowOf<'campaign'> | undefined,
  template: RowOf<'template'> | undefined,
  count: number | undefined,
) => {
  const { t } = useTranslation('campaign')
  if (row === undefined) return {}
  const isScheduled = Boolean(row.cron_expression)
  const sources = row.lists.length + row.segments.length
  const contacts = [
    ...(count === undefined || count === 0 ? [] : [t('create.contactcount', { count, shown: countText(count) })]),
    ...(sources === 0 ? [] : [t('audience.sources', { count: sources })]),
  ]
  return {
    template: template?.templateName ?? '…',
    ...(count === undefined || count > 0 || sources > 0 ? { contacts: contacts.join(' · ') } : {}),
    when: isScheduled ? `${t('when.scheduled')} · ${row.cron_expression}` : t('when.byhand'),
  }
}

/** The number of a saved campaign. */
const senderOf = (row: RowOf<'campaign'> | undefined): Sender | undefined =>
  row?.channel
    ? { kind: 'channel', id: row.channel }
    : row?.metaaccount
      ? { kind: 'metaaccount', id: row.metaaccount }
      : undefined

const DEFAULT_SHARE = 20

const TemplatePart = ({ row, onMade }: { readonly row: RowOf<'campaign'> | undefined; onMade(id: string): void }) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const { params } = useAddress()
  const client = useQueryClient()
  const change = useChangeCampaign()
  const accounts = useAccounts()
  const channels = useTemplateChannels()
  const app = params.get('appid')
  const preset =
    app === null || accounts === undefined ? undefined : accountAt(accountsOf(accounts, app), params.get('phone'))
  const [given, setGiven] = useState<Partial<TemplateChoice>>({})
  const [errors, setErrors] = useState<readonly LocalizedFieldProblem[]>([])
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const first = preset?.id ?? (accounts?.length === 1 ? accounts[0]?.id : undefined)
  const choice: TemplateChoice = {
    name: text(row?.name) ?? '',
    sender: senderOf(row) ?? (first === undefined ? undefined : { kind: 'metaaccount', id: first }),
    template: text(row?.template),
    templateB: text(row?.template_b),
    share: row?.compare_share ?? DEFAULT_SHARE,
    ...given,
  }
  const template = useTemplateRow(choice.template)
  const other = useTemplateRow(choice.templateB)
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    const { sender } = choice
    const idAt = (kind: Sender['kind']) => (sender?.kind === kind ? sender.id : null)
    const of = { metaaccount: idAt('metaaccount'), channel: idAt('channel') }
    const compared = { template_b: choice.templateB ?? null, compare_share: choice.share }
    const body = { name: choice.name, ...of, template: choice.template ?? null, ...compared }
    try {
      if (row === undefined) {
        const made = await http.post('/{entity}', { params: { entity: 'campaign' }, body: { ...body, enabled: false } })
        await client.invalidateQueries({ queryKey: ['campaign'] })
        onMade(made.id)
      } else {
        await change(row, body)
        onMade(row.id)
      }
    } catch (error) {
      setErrors(isProblem(error) ? error.errors : [])
      setFailure(failureOf(error, label.message('campaign', 'message.notsaved') ?? t('create.title')))
      setBusy(false)
    }
  }
  return (
    <Frame
      step="template"
      name={choice.name || undefined}
      account={choice.sender?.kind === 'metaaccount' ? choice.sender.id : undefined}
      done={useDone(row, template, undefined)}
      aside={<RowPreview other={other} row={template} lists={[]} campaign={undefined} variables={[]} mapping={[]} />}
      error={failure}
      busy={busy}
      verb={t('create.continue')}
      onGo={() => {}}
      onNext={() => void save()}
    >
      <TemplateStep
        choice={choice}
        accounts={accounts ?? []}
        channels={channels ?? []}
        errors={errors}
        onChange={setGiven}
      />
    </Frame>
  )
}

interface OpenedProps {
  readonly row: RowOf<'campaign'>
  readonly step: Exclude<Step, 'template'>
  onGo(step: Step): void
}

/** The steps after the first: the campaign is there, as a draft. */
const Opened = ({ row, step, onGo }: OpenedProps) => {
  const template = useTemplateRow(row.template ?? undefined)
  const other = useTemplateRow(row.template_b ?? undefined)
  const contacts = useContacts(row.id)
  const count = contacts?.total
  const done = useDone(row, template, count)
  if (template === undefined) return <PageSkeleton />
  const read = templateOf(template)
  const registration = registrationOf(template)
  const readB = other && templateOf(other)
  const variablesB = other && readB ? templateVariables(readB, registrationOf(other)) : []
  const variables = [...new Set([...templateVariables(read, registration), ...variablesB])]
  const samples = [...(readB?.body?.examples ?? []), ...(read.body?.examples ?? [])]
  const above = [readB, read].flatMap(one => (one?.header?.format === 'TEXT' ? one.header.examples : []))
  const examples = new Map([
    ...samples.map(({ name, value }) => [name, value] as const),
    ...above.map(({ value }) => ['header', value] as const),
  ])
  const shared = {
    row,
    template,
    other,
    variables,
    examples,
    count,
    imported: contacts ?? { names: {}, columns: {} },
    done,
    onGo,
    mapping: mappingOf(row.mapping),
  }
  if (step === 'contacts') return <ContactsPart {...shared} />
  return step === 'when' ? <SchedulePart {...shared} /> : <ReviewPart {...shared} />
}

/** /campaignmanagement/campaign/create: a campaign in four steps. From the first on it is kept as a draft that sends nothing. */
export const CreatePage = () => {
  const { can } = useSession()
  const { params, put } = useAddress()
  useEntityTexts(['campaign', 'template', 'metaaccount', 'pricelist'])
  const id = params.get('campaign')
  const asked = params.get('step')
  const { data, error, refetch } = useQuery({ ...detailQuery('campaign', id ?? ''), enabled: id !== null })
  if (!can(id === null ? 'createcampaign' : 'updatecampaign')) return <ErrorMessage code="403" />
  if (error && data === undefined) return <PageLoadError error={error} onRetry={() => void refetch()} />
  if (id !== null && data === undefined) return <PageSkeleton />
  // A sent campaign has its own page and form.
  if (data !== undefined && data.run_status !== null) return <Redirect to={`/campaign/${data.id}`} />
  const step: Step = data === undefined ? 'template' : isStep(asked) ? asked : 'contacts'
  const go = (next: Step, campaign = id ?? undefined) => put({ step: next, campaign })
  if (step === 'template' || data === undefined)
    return <TemplatePart row={data} onMade={made => go('contacts', made)} />
  return <Opened key={step} row={data} step={step} onGo={next => go(next)} />
}
