import { Box, Button, chakra, Field, Grid, HStack, Spinner, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, EyeOff, FileSpreadsheet, Info } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { Band, ErrorLine } from '#web/components/error-state.tsx'
import { FileInput, FilePicker } from '#web/entity/list/file-picker.tsx'
import { readAll } from '#web/entity/read-all.ts'
import { ChoiceControl, SwitchLabel } from '#web/form/control/choice-control.tsx'
import { useContactFieldName } from '#web/form/control/contact-field-name.ts'
import { bytesOf } from '#web/format/number.ts'
import { momentOf } from '#web/format/time.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { Page } from '#web/page/page.tsx'
import { useAddress, useGuardedNavigate } from '#web/page/use-address.ts'
import { FIELD_NAMES, NAME_FIELD, usedFields } from '../contact-fields.ts'
import { type ContactHolder, useHolderReturn } from '../holder.ts'
import { HolderGate } from '../holder-gate.tsx'
import { DryRunPanel } from './dry-run-panel.tsx'
import { type Preview, sendContacts, type UploadMapping, useContactFile } from './use-contact-file.ts'

/** Countries of numbers without a country code, ISO 3166. */
const COUNTRIES = ['BR', 'PT', 'AR', 'BO', 'CL', 'CO', 'EC', 'ES', 'MX', 'PE', 'PY', 'US', 'UY'] as const

interface PanelProps {
  readonly preview: Preview
  readonly taking: UploadMapping
  /** Variables of the template, by the field that fills them. */
  readonly used: ReadonlyMap<string, readonly string[]>
  onTake(change: Partial<UploadMapping>): void
  onHeader(header: boolean): void
}

interface ColumnProps {
  readonly name: string
  readonly sample: string
  readonly target: string
  readonly hint: string | undefined
  onTarget(target: string): void
}

const Column = ({ name, sample, target, hint, onTarget }: ColumnProps) => {
  const { t } = useTranslation('contact')
  const fieldName = useContactFieldName()
  const choices = ['phone', NAME_FIELD, ...FIELD_NAMES].map(value => ({ value, label: fieldName(value) }))
  return (
    <HStack as="li" gap="2.5" px="4" py="2" minH="14" borderTopWidth="1px">
      <Box flex="1" minW="0">
        <Text textStyle="card" truncate color={target === '' ? 'fg.muted' : undefined}>
          {name}
        </Text>
        <Text textStyle="secondary" color="fg.muted" truncate>
          {sample || t('map.empty')}
        </Text>
      </Box>
      <Box color="fg.subtle" flex="none">
        <ChevronRight size={15} aria-hidden="true" />
      </Box>
      <Box w="138px" flex="none">
        <ChoiceControl
          id={name}
          label={t('map.columnis', { name })}
          none={t('map.unused')}
          value={target}
          choices={choices}
          onChange={onTarget}
        />
        {hint === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted" mt="1">
            {hint}
          </Text>
        )}
      </Box>
    </HStack>
  )
}

const SwitchLine = (props: ComponentProps<typeof SwitchLabel>) => (
  <SwitchLabel {...props} atEnd line={{ gap: '3', alignItems: 'start', textStyle: 'dense' }} />
)

/** Columns that go nowhere. */
const Unused = ({ names }: { readonly names: readonly string[] }) => {
  const { t } = useTranslation('contact')
  if (names.length === 0) return null
  return (
    <Band
      tone="warning"
      icon={EyeOff}
      borderRadius="0"
      borderYWidth="1px"
      borderColor="warning.muted"
      textStyle="secondary"
    >
      {t('map.left', { count: names.length, names: names.join(', ') })}
    </Band>
  )
}

const Options = ({ taking, onTake, onHeader }: Pick<PanelProps, 'taking' | 'onTake' | 'onHeader'>) => {
  const { t, i18n } = useTranslation('contact')
  const { country, header, partial } = taking
  const regions = new Intl.DisplayNames([i18n.language], { type: 'region' })
  return (
    <Box display="grid" gap="3.5" px="4" py="3.5">
      <SwitchLine label={t('map.header')} text={t('map.headertext')} value={header} onChange={onHeader} />
      <SwitchLine
        label={t('map.partial')}
        text={t('map.partialtext')}
        value={partial}
        onChange={value => onTake({ partial: value })}
      />
      <Field.Root>
        <Field.Label htmlFor="country">{t('map.country')}</Field.Label>
        <ChoiceControl
          id="country"
          chosen
          value={country}
          choices={COUNTRIES.map(value => ({ value, label: regions.of(value) ?? value }))}
          onChange={value => onTake({ country: value })}
        />
      </Field.Root>
    </Box>
  )
}

/** Meaning of each column, omitted columns, and import options. */
const ColumnsPanel = ({ preview, taking, used, onTake, onHeader }: PanelProps) => {
  const { t } = useTranslation('contact')
  const { targets } = taking
  const [first] = preview.rows
  const nameOf = (place: number) => preview.columns[place]?.name || t('map.column', { number: place + 1 })
  const unused = targets.flatMap((target, place) => (target === '' ? [nameOf(place)] : []))
  const hintOf = (target: string) => {
    const variables = used.get(target)
    if (variables !== undefined) return variables.map(variable => `{{${variable}}}`).join(', ')
    return target === 'phone' ? t('map.asnumber') : undefined
  }
  const setTarget = (place: number, target: string) =>
    onTake({ targets: targets.map((one, at) => (at === place ? target : one === target ? '' : one)) })
  return (
    <chakra.section aria-labelledby="columns" borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
      <HStack px="4" pt="3" pb="2" justify="space-between">
        <Text as="h2" id="columns" textStyle="card">
          {t('map.columns')}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {t('map.linked', { count: targets.length - unused.length, total: targets.length })}
        </Text>
      </HStack>
      <Box as="ul" listStyleType="none">
        {targets.map((target, place) => (
          <Column
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
            key={place}
            name={nameOf(place)}
            sample={first?.cells[place] ?? ''}
            target={target}
            hint={hintOf(target)}
            onTarget={next => setTarget(place, next)}
          />
        ))}
      </Box>
      <Unused names={unused} />
      <Options taking={taking} onTake={onTake} onHeader={onHeader} />
    </chakra.section>
  )
}

interface ChoiceProps {
  readonly campaign: string
  /** '' for columns that are linked by hand. */
  readonly value: string
  onChange(profile: string): void
}

/** The upload profiles of a campaign, by whose rules a file is taken. */
const ProfileChoice = ({ campaign, value, onChange }: ChoiceProps) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const { data } = useQuery({
    queryKey: ['campaignuploadprofile', 'list', { campaign, all: true }],
    queryFn: ({ signal }) => readAll('campaignuploadprofile', { campaign_id: campaign, sort: 'name' }, signal),
    enabled: can('readcampaignuploadprofile'),
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <HStack gap="2">
      <chakra.label htmlFor="profile" textStyle="secondary" color="fg.muted">
        {t('map.profile')}
      </chakra.label>
      <Box w="200px">
        <ChoiceControl
          id="profile"
          none={t('map.noprofile')}
          value={value}
          choices={data.items.map(({ id, name }) => ({ value: id, label: String(name) }))}
          onChange={onChange}
        />
      </Box>
    </HStack>
  )
}

/** In place of the columns, where a profile's rules say what they are. */
const ProfileRules = ({ profile }: { readonly profile: string }) => {
  const { t } = useTranslation('contact')
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface" px="4" py="3.5">
      <Text as="h2" textStyle="card">
        {t('map.rules')}
      </Text>
      <Text textStyle="dense" color="fg.muted" mt="1" mb="2">
        {t('map.rulestext')}
      </Text>
      <Link to={`/campaignuploadprofile/${profile}`}>
        <chakra.span color="accent.fg" fontWeight="semibold" textStyle="dense">
          {t('map.openprofile')}
        </chakra.span>
      </Link>
    </Box>
  )
}

const ACCEPT = '.csv,.txt,text/csv,text/plain'

type State = ReturnType<typeof useContactFile>

interface PartProps {
  readonly holder: ContactHolder
  readonly state: State
}

/** Takes the file in; its page then shows how far it is. */
const useTakeIn = ({ holder, state }: PartProps) => {
  const { t } = useTranslation('contact')
  const goOn = useGuardedNavigate()
  const back = useHolderReturn(holder)
  const client = useQueryClient()
  const { isBusy, failure: failed, attempt } = useAttempt(t('map.nottaken'))
  const takeIn = async () => {
    const { loaded, taking } = state
    if (loaded === undefined || taking === undefined) return
    await attempt(async () => {
      const { id } = await sendContacts(holder, loaded, taking, false)
      await client.invalidateQueries({ queryKey: ['contact', holder.id] })
      if (id !== null) await goOn(back.upload(id))
    })
  }
  return { isBusy, failed, takeIn }
}

/** Accepted and rejected lines, with the import button. */
const TakeBar = ({ holder, state }: PartProps) => {
  const { t } = useTranslation('contact')
  const { t: ts } = useTranslation('shell')
  const { isBusy, failed, takeIn } = useTakeIn({ holder, state })
  const back = useHolderReturn(holder)
  const { dryRun, isApt, isStale } = state
  const { data } = dryRun
  const isKnown = data !== undefined && isApt && !dryRun.isFetching && !isStale
  const added = isKnown ? data.added : 0
  const isHeld = isKnown && data.status === 'failed'
  return (
    <Box borderTopWidth="1px" bg="bg.surface" px={{ base: '3', md: '6' }} py="2.5" flex="none">
      {failed === undefined ? null : <ErrorLine text={failed} />}
      <HStack gap="3" rowGap="2" flexWrap="wrap" justify="flex-end">
        <Text
          role="status"
          flex={{ base: '1 1 100%', md: '1 1 220px' }}
          textStyle="dense"
          color={isHeld ? 'danger.fg' : 'fg.muted'}
        >
          {isKnown
            ? isHeld
              ? t('map.held', { count: data.invalid })
              : `${t('map.goin', { count: added, name: holder.name })} ${
                  data.invalid === 0 ? '' : t('map.comeback', { count: data.invalid })
                }`
            : null}
        </Text>
        <Button variant="ghost" asChild>
          <Link to={back.isOfStep ? back.campaign : back.contacts}>{ts('cancel')}</Link>
        </Button>
        <Button variant="solid" loading={isBusy} disabled={added === 0} onClick={() => void takeIn()}>
          {added === 0 ? t('map.take') : t('map.takecount', { count: added })}
        </Button>
      </HStack>
    </Box>
  )
}

const Again = ({ state }: Pick<PartProps, 'state'>) => {
  const { t } = useTranslation('contact')
  const again = state.dryRun.data?.again ?? state.loaded?.preview.again ?? null
  if (again === null) return null
  return (
    <HStack gap="2" mb="3" textStyle="dense" color="warning.fg">
      <Info size={15} aria-hidden="true" />
      <Text>
        {t('map.before', { time: momentOf(again.time) })}{' '}
        <Link to={`/campaignupload/${again.id}`}>
          <chakra.span textDecoration="underline">{t('map.seebefore')}</chakra.span>
        </Link>
      </Text>
    </HStack>
  )
}

const Workspace = ({ holder, state }: PartProps) => {
  const { loaded, taking, choose, take } = state
  if (loaded === undefined || taking === undefined) return null
  return (
    <>
      <Again state={state} />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: '352px minmax(0, 1fr)' }} gap="4" alignItems="start">
        {taking.profile === '' ? (
          <ColumnsPanel
            preview={loaded.preview}
            taking={taking}
            used={usedFields(holder.campaign ?? {})}
            onTake={take}
            onHeader={header => void choose(loaded.file, header)}
          />
        ) : (
          <ProfileRules profile={taking.profile} />
        )}
        <DryRunPanel state={state} />
      </Grid>
    </>
  )
}

const Shown = ({ holder }: { readonly holder: ContactHolder }) => {
  const { t } = useTranslation('contact')
  const input = useRef<HTMLInputElement>(null)
  const { params } = useAddress()
  const state = useContactFile(holder, params.get('profile') ?? '')
  const { loaded, taking, error, isReading, choose, take } = state
  return (
    <Page
      title={t('map.title')}
      name={holder.name}
      beside={
        loaded === undefined ? null : (
          <HStack gap="2" textStyle="dense" color="fg.muted" flexWrap="wrap">
            <FileSpreadsheet size={16} aria-hidden="true" />
            <Text overflowWrap="anywhere">
              {loaded.file.name} · {t('map.size', { size: bytesOf(loaded.file.size) })}
            </Text>
            <Button size="xs" onClick={() => input.current?.click()}>
              {t('map.another')}
            </Button>
          </HStack>
        )
      }
      actions={
        taking === undefined || holder.kind === 'list' ? null : (
          <ProfileChoice campaign={holder.id} value={taking.profile} onChange={profile => take({ profile })} />
        )
      }
      bar={loaded === undefined ? null : <TakeBar holder={holder} state={state} />}
    >
      <FileInput ref={input} accept={ACCEPT} label={t('map.choose')} onChoose={file => void choose(file)} />
      <ErrorLine text={error} mb="3" />
      {isReading ? (
        <HStack role="status" gap="2.5" py="4" textStyle="dense">
          <Spinner size="sm" />
          {t('map.reading')}
        </HStack>
      ) : null}
      {loaded === undefined ? (
        <Box maxW="720px">
          <FilePicker
            text={t('map.text')}
            choose={t('map.choose')}
            onChoose={() => input.current?.click()}
            onDrop={file => void choose(file)}
          />
        </Box>
      ) : (
        <Workspace holder={holder} state={state} />
      )}
    </Page>
  )
}

/** /campaignmanagement/contact/map/{campaign}: a file of contacts, column by column and line by line, before it is taken in. */
export const MapContactsPage = () => (
  <HolderGate permission="createcontact">{holder => <Shown holder={holder} />}</HolderGate>
)

/** /contactlist/map/{list}: the same for a saved list. */
export const MapListContactsPage = () => (
  <HolderGate permission="createcontact" entity="contactlist">
    {holder => <Shown holder={holder} />}
  </HolderGate>
)
