import { Button, Checkbox, chakra, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { tokenPermissions } from '#domain/people/permission.ts'
import { foldName } from '#schemas/fold-text.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { SecretDialog } from '#web/components/secret-dialog.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useScopeText } from '#web/entity/form/permission/pending-permissions.tsx'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { levelsQuery, pathOf } from '#web/shell/level.ts'

const DAY_MS = 86_400_000
const SERVICE_DAYS = ['30', '90', '365'] as const
type Days = (typeof SERVICE_DAYS)[number]
const PERSONAL_DAYS: readonly Days[] = ['30', '90']

/** Most requests a minute of the declaration. */
const MAX_RATE = 100_000
const isRate = (text: string): boolean => /^[1-9]\d*$/u.test(text) && Number(text) <= MAX_RATE

interface Draft {
  readonly name: string
  /** Empty: a personal token. */
  readonly account: string
  /** Empty: the holder's level. */
  readonly level: string
  readonly days: Days
  /** Requests a minute, as typed; empty: what all tokens may send. */
  readonly rate: string
  /** Undefined: all of the holder. */
  readonly scopes: ReadonlySet<string> | undefined
}

const START: Draft = { name: '', account: '', level: '', days: '30', rate: '', scopes: undefined }

interface ScopeProps {
  readonly chosen: ReadonlySet<string>
  onChange(scopes: ReadonlySet<string>): void
}

/** Permissions of the caller that a token may have. */
const ScopeList = ({ chosen, onChange }: ScopeProps) => {
  const { t } = useTranslation('access')
  const { user } = useSession()
  const text = useScopeText()
  const [search, setSearch] = useState('')
  const offered = useMemo(
    () => [...tokenPermissions(new Set(user.permissions), [], 'person')].toSorted(),
    [user.permissions],
  )
  const words = foldName(search)
  const shown = offered
    .map(name => ({ name, label: text(name) }))
    .filter(({ name, label }) => foldName(label).includes(words) || name.includes(words))
  return (
    <Stack gap="2">
      <Input
        type="search"
        aria-label={t('form.search')}
        placeholder={t('form.search')}
        value={search}
        onChange={event => setSearch(event.target.value)}
      />
      <Stack
        role="group"
        aria-label={t('form.permissions')}
        gap="0"
        maxH="220px"
        overflowY="auto"
        borderWidth="1px"
        borderRadius="md"
        px="3"
        py="1"
      >
        {shown.map(({ name, label }) => (
          <Checkbox.Root
            key={name}
            minH="9"
            checked={chosen.has(name)}
            onCheckedChange={() => onChange(chosen.symmetricDifference(new Set([name])))}
          >
            <Checkbox.HiddenInput />
            <Checkbox.Control />
            <Checkbox.Label flex="1" minW="0" overflowWrap="anywhere">
              {label}
            </Checkbox.Label>
            <chakra.code textStyle="secondary" color="fg.muted" hideBelow="md">
              {name}
            </chakra.code>
          </Checkbox.Root>
        ))}
        {shown.length === 0 ? (
          <Text py="2" color="fg.muted">
            {t('form.nothing')}
          </Text>
        ) : null}
      </Stack>
    </Stack>
  )
}

type Errors = Readonly<Partial<Record<'name' | 'rate' | 'scopes', string>>>

/** Permissions, level, life and rate of the new token. */
const Fields = ({
  draft,
  errors,
  accounts,
  onChange,
}: {
  readonly draft: Draft
  readonly errors: Errors
  readonly accounts: readonly RowOf<'serviceaccount'>[]
  onChange(more: Partial<Draft>): void
}) => {
  const { t } = useTranslation('access')
  const levels = useQuery(levelsQuery).data ?? []
  const days = draft.account === '' ? PERSONAL_DAYS : SERVICE_DAYS
  return (
    <Stack gap="4" mt="3">
      <Field.Root invalid={errors.name !== undefined} required>
        <Field.Label>{t('form.name')}</Field.Label>
        <Input
          data-autofocus=""
          autoComplete="off"
          maxLength={100}
          value={draft.name}
          onChange={event => onChange({ name: event.target.value })}
        />
        {errors.name === undefined ? null : <Field.ErrorText>{errors.name}</Field.ErrorText>}
        <Field.HelperText>{t('form.namehint')}</Field.HelperText>
      </Field.Root>
      {accounts.length === 0 ? null : (
        <LabelledSelect
          label={t('form.holder')}
          value={draft.account}
          options={[['', t('form.person')], ...accounts.map(({ id, name }) => [id, name] as const)]}
          onChange={account => onChange({ account, ...(account === '' && draft.days === '365' ? { days: '90' } : {}) })}
        />
      )}
      <LabelledSelect
        label={t('form.level')}
        value={draft.level}
        options={[['', t('form.home')], ...levels.map(({ id }) => [id, pathOf(levels, id).join(' / ')] as const)]}
        onChange={level => onChange({ level })}
      />
      <HStack gap="3" flexWrap="wrap">
        <Text textStyle="dense">{t('form.expires')}</Text>
        <Segments<Days>
          label={t('form.expires')}
          value={draft.days}
          options={days.map(value => ({ value, label: t('form.days', { count: Number(value) }) }))}
          onChange={value => onChange({ days: value })}
        />
      </HStack>
      <Field.Root invalid={errors.rate !== undefined}>
        <Field.Label>{t('form.rate')}</Field.Label>
        <Input
          inputMode="numeric"
          autoComplete="off"
          maxW="160px"
          value={draft.rate}
          onChange={event => onChange({ rate: event.target.value })}
        />
        {errors.rate === undefined ? null : <Field.ErrorText>{errors.rate}</Field.ErrorText>}
        <Field.HelperText>{t('form.ratehint')}</Field.HelperText>
      </Field.Root>
      <Stack gap="2">
        <HStack justify="space-between" flexWrap="wrap">
          <Text textStyle="card">{t('form.can')}</Text>
          <Text textStyle="secondary" color="fg.muted">
            {t('form.never')}
          </Text>
        </HStack>
        <Segments<'all' | 'some'>
          label={t('form.can')}
          value={draft.scopes === undefined ? 'all' : 'some'}
          options={[
            { value: 'all', label: t('form.all') },
            { value: 'some', label: t('form.some') },
          ]}
          onChange={value => onChange({ scopes: value === 'all' ? undefined : new Set() })}
        />
        {draft.scopes === undefined ? null : (
          <ScopeList chosen={draft.scopes} onChange={scopes => onChange({ scopes })} />
        )}
        <ErrorLine text={errors.scopes} />
      </Stack>
    </Stack>
  )
}

const useDraft = () => {
  const { t } = useTranslation(['access', 'shell'])
  const client = useQueryClient()
  const [draft, setDraft] = useState(START)
  const [errors, setErrors] = useState<Errors>({})
  const { isBusy, failure: failed, attempt } = useAttempt(t('form.failed'))
  const [token, setToken] = useState<string>()
  const change = (more: Partial<Draft>) => {
    setDraft(before => ({ ...before, ...more }))
    setErrors({})
  }
  const create = async () => {
    const { name, account, level, days, scopes } = draft
    const rate = draft.rate.trim()
    const faults: Errors = {
      ...(name.trim() === '' ? { name: t('form.noname') } : {}),
      ...(rate === '' || isRate(rate) ? {} : { rate: t('form.badrate') }),
      ...(scopes?.size === 0 ? { scopes: t('form.noscope') } : {}),
    }
    setErrors(faults)
    if (Object.keys(faults).length > 0) return
    await attempt(async () => {
      const body = {
        name: name.trim(),
        // A minute less than the longest life: clocks of browsers differ.
        expires: new Date(Date.now() + Number(days) * DAY_MS - 60_000).toISOString(),
        ...(account === '' ? {} : { serviceaccount: account }),
        ...(level === '' ? {} : { level }),
        ...(rate === '' ? {} : { rate: Number(rate) }),
        ...(scopes === undefined ? {} : { scopes: [...scopes].toSorted() }),
      }
      const made = await http.post('/{entity}', { params: { entity: 'apitoken' }, body })
      setToken(made.token)
      await client.invalidateQueries({ queryKey: ['apitoken'] })
    })
  }
  return { draft, errors, failed, isBusy, token, change, create }
}

/** Makes a token, and shows it once. `accounts`: service accounts to choose from, besides a personal token. */
export const TokenDialog = ({
  accounts,
  onClose,
}: {
  readonly accounts: readonly RowOf<'serviceaccount'>[]
  onClose(): void
}) => {
  const { t } = useTranslation(['access', 'shell'])
  const { draft, errors, failed, isBusy, token, change, create } = useDraft()
  if (token !== undefined) {
    const texts = { label: t('made.token'), done: t('made.title'), once: t('made.once'), sure: t('made.sure') }
    return <SecretDialog title={draft.name} value={token} variable="PARLEY_TOKEN" texts={texts} onClose={onClose} />
  }
  return (
    <Modal
      width={560}
      icon={<KeyRound size={18} aria-hidden="true" />}
      title={t('form.title')}
      onClose={onClose}
      actions={
        <Button variant="solid" loading={isBusy} onClick={() => void create()}>
          {t('form.create')}
        </Button>
      }
    >
      <Fields draft={draft} errors={errors} accounts={accounts} onChange={change} />
      <ErrorLine text={failed} />
    </Modal>
  )
}
