import { Button, Field, Input, Stack, Textarea } from '@chakra-ui/react'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { BellOff, BellRing, FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PHONE_NAMES, plainName } from '#domain/audience/contact-columns.ts'
import { readCsv } from '#domain/audience/file/read-csv.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { FileInput } from '#web/entity/list/file-picker.tsx'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { notice } from '#web/notice/notice.ts'

const SUPPRESSION_KEY = 'suppression'
export type SuppressionEntry = AnswerOf<'GET /suppression'>['items'][number]

/** Entries that hold now, newest first. */
export const suppressionsQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: [SUPPRESSION_KEY, 'list', page, size],
    queryFn: ({ signal }) => http.get('/suppression', { query: { page, size }, signal }),
    placeholderData: before => before,
  })

/** A number is not written into an address. */
export const numberQuery = (phone: string) =>
  queryOptions({
    queryKey: [SUPPRESSION_KEY, 'search', phone],
    queryFn: ({ signal }) => http.post('/suppression/search', { body: { phone }, signal }),
    enabled: phone !== '',
    retry: false,
    gcTime: 0,
  })

/** A number without the apostrophe that keeps spreadsheets from calculating it. */
const bare = (cell: string): string => cell.trim().replace(/^'/u, '')

/**
 * Telephone numbers of a text or of a file's bytes: the column of numbers of a table whose first line names one, as the
 * export of the list does, else each cell. Empty where it can not be read, as where a quote has no end.
 */
export const phonesOf = (content: string | Uint8Array): readonly string[] => {
  const read = readCsv(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  if (!read.ok) return []
  const [header, ...rows] = read.table.rows.map(({ cells }) => cells)
  const column = header?.findIndex(name => PHONE_NAMES.has(plainName(name))) ?? -1
  const cells = column < 0 ? [header ?? [], ...rows].flat() : rows.map(row => row[column] ?? '')
  return cells.map(bare).filter(phone => phone !== '')
}

export type SuppressionAct = 'add' | 'import' | 'lift'

const ICONS = { add: BellOff, import: FileUp, lift: BellRing } as const
const MAX_NUMBERS = 5000
const SCOPES = ['marketing', 'all'] as const
type Scope = (typeof SCOPES)[number]

interface FormValues {
  readonly phone: string
  readonly reason: string
  readonly scope: Scope
}

/** Sends a change and returns the sentence that says what it did. */
const useWrite = () => {
  const { t } = useTranslation('suppression')
  return async (act: SuppressionAct, { phone, reason, scope }: FormValues): Promise<string> => {
    if (act === 'lift') {
      const { active } = await http.post('/suppression/lift', { body: { phone, reason } })
      return t(active ? 'lift.partly' : 'lift.done')
    }
    if (act === 'add') {
      const { added } = await http.post('/suppression', { body: { phone, reason, scope } })
      return t(added ? 'add.done' : 'add.known')
    }
    const phones = phonesOf(phone)
    const { added, known, invalid } = await http.post('/suppression/import', {
      body: { phones: [...phones], reason, scope },
    })
    const wrong = invalid.slice(0, 5).map(place => phones[place] ?? '')
    return t(invalid.length === 0 ? 'import.done' : 'import.partly', {
      ...{ added, known, invalid: invalid.length, numbers: wrong.join(', ') },
    })
  }
}

interface FormProps {
  readonly act: SuppressionAct
  readonly phone?: string
  onClose(): void
}

type Errors = Readonly<Record<string, string>>

interface Fields extends FormValues {
  readonly act: SuppressionAct
  readonly errors: Errors
  onChange(more: Partial<FormValues>): void
}

/** Puts the numbers of a file into the field, where they can be read before they are imported. */
const FileButton = ({ onChange, onEmpty }: Pick<Fields, 'onChange'> & { onEmpty(name: string): void }) => {
  const { t } = useTranslation('suppression')
  const input = useRef<HTMLInputElement>(null)
  const take = async (file: File) => {
    const phones = phonesOf(new Uint8Array(await file.arrayBuffer()))
    if (phones.length === 0) onEmpty(file.name)
    else onChange({ phone: phones.join('\n') })
  }
  return (
    <>
      <Button size="sm" onClick={() => input.current?.click()}>
        <FileUp size={15} aria-hidden="true" />
        {t('form.file')}
      </Button>
      <FileInput
        ref={input}
        accept=".csv,.txt,text/csv,text/plain"
        label={t('form.file')}
        onChoose={file => void take(file)}
      />
    </>
  )
}

const PhoneField = ({ act, phone, errors, onChange }: Fields) => {
  const { t } = useTranslation('suppression')
  const [empty, setEmpty] = useState<string>()
  const isMany = act === 'import'
  const problem = empty === undefined ? errors.phone : t('form.nonumbers', { name: empty })
  const change = (more: Partial<FormValues>) => {
    setEmpty(undefined)
    onChange(more)
  }
  return (
    <Field.Root invalid={problem !== undefined} required>
      <Field.Label>{t(isMany ? 'form.phones' : 'form.phone')}</Field.Label>
      {isMany ? (
        <Textarea
          data-autofocus=""
          rows={8}
          autoComplete="off"
          value={phone}
          onChange={event => change({ phone: event.target.value })}
        />
      ) : (
        <Input
          {...(act === 'add' ? { 'data-autofocus': '' } : {})}
          type="tel"
          autoComplete="off"
          maxLength={100}
          readOnly={act === 'lift'}
          value={phone}
          onChange={event => change({ phone: event.target.value })}
        />
      )}
      {problem === undefined ? null : <Field.ErrorText>{problem}</Field.ErrorText>}
      <Field.HelperText>{t(isMany ? 'form.phoneshint' : 'form.phonehint')}</Field.HelperText>
      {isMany ? <FileButton onChange={change} onEmpty={setEmpty} /> : null}
    </Field.Root>
  )
}

const ScopeField = ({ scope, onChange }: Fields) => {
  const { t } = useTranslation('suppression')
  return (
    <LabelledSelect
      label={t('form.scope')}
      value={scope}
      options={SCOPES.map(one => [one, t(`scope.${one}`)])}
      onChange={chosen => onChange({ scope: chosen as Scope })}
    />
  )
}

const ReasonField = ({ act, reason, errors, onChange }: Fields) => {
  const { t } = useTranslation('suppression')
  return (
    <Field.Root invalid={errors.reason !== undefined} required>
      <Field.Label>{t('form.reason')}</Field.Label>
      <Input
        {...(act === 'lift' ? { 'data-autofocus': '' } : {})}
        autoComplete="off"
        maxLength={500}
        value={reason}
        onChange={event => onChange({ reason: event.target.value })}
      />
      {errors.reason === undefined ? null : <Field.ErrorText>{errors.reason}</Field.ErrorText>}
      <Field.HelperText>{t('form.reasonhint')}</Field.HelperText>
    </Field.Root>
  )
}

/** Values of the form, and their saving. */
const useForm = (act: SuppressionAct, phone: string, onClose: () => void) => {
  const { t } = useTranslation('suppression')
  const client = useQueryClient()
  const write = useWrite()
  const [given, setGiven] = useState<FormValues>({ phone, reason: '', scope: 'marketing' })
  const [errors, setErrors] = useState<Errors>({})
  const [failed, setFailed] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const phoneFault = (): string | undefined => {
    if (given.phone.trim() === '') return t('form.nophone')
    if (act !== 'import') return undefined
    const { length } = phonesOf(given.phone)
    if (length === 0) return t('form.unread')
    return length > MAX_NUMBERS ? t('form.many', { max: MAX_NUMBERS }) : undefined
  }
  const missing = (phone = phoneFault()): Errors => ({
    ...(phone === undefined ? {} : { phone }),
    ...(given.reason.trim() === '' ? { reason: t('form.noreason') } : {}),
  })
  const save = async () => {
    const wrong = missing()
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    setFailed(undefined)
    try {
      const done = await write(act, given)
      await client.invalidateQueries({ queryKey: [SUPPRESSION_KEY] })
      notice.snack(done, { tone: 'positive' })
      onClose()
    } catch (failure) {
      const told = isProblem(failure) ? failure.errors : []
      setErrors(Object.fromEntries(told.map(({ path, message, code }) => [path, message ?? code])))
      if (told.length === 0) setFailed(failureOf(failure, t('form.failed')))
      setBusy(false)
    }
  }
  return { given, errors, failed, isBusy, save, change: (more: Partial<FormValues>) => setGiven({ ...given, ...more }) }
}

/** Adds a number or many, or lifts one. Each change needs a reason, which the audit stores. */
export const SuppressionForm = ({ act, phone = '', onClose }: FormProps) => {
  const { t } = useTranslation('suppression')
  const { given, errors, failed, isBusy, save, change } = useForm(act, phone, onClose)
  const Icon = ICONS[act]
  const fields: Fields = { ...given, act, errors, onChange: change }
  return (
    <Modal
      icon={<Icon size={18} aria-hidden="true" />}
      title={t(`${act}.title`)}
      onClose={onClose}
      actions={
        <Button variant="solid" loading={isBusy} onClick={() => void save()}>
          {t(`${act}.do`)}
        </Button>
      }
    >
      <Stack gap="4">
        <PhoneField {...fields} />
        {act === 'lift' ? null : <ScopeField {...fields} />}
        <ReasonField {...fields} />
      </Stack>
      <ErrorLine text={failed} mt="3" />
    </Modal>
  )
}
