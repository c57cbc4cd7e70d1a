import { Button, Field, HStack, Input, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useContactFieldName } from '#web/form/control/contact-field-name.ts'
import { notice } from '#web/notice/notice.ts'
import { FIELD_NAMES, NAME_FIELD, shownFields, usedFields } from './contact-fields.ts'
import { type Contact, type ContactHolder, contactsQuery } from './holder.ts'

/** Form values of a contact: phone, nome, field01 … field16. */
type ContactValues = Readonly<Record<string, string>>
type ContactErrors = Readonly<Record<string, string>>

/** Field errors from the API; undefined for other failures. */
const errorsOf = (failure: unknown): ContactErrors | undefined => {
  if (!isProblem(failure) || failure.errors.length === 0) return undefined
  return Object.fromEntries(failure.errors.map(({ path, message, code }) => [path, message ?? code]))
}

interface LineProps {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly values: ContactValues
  readonly errors: ContactErrors
  readonly focused?: boolean
  onChange(name: string, value: string): void
}

const Line = ({ name, label, hint, values, errors, focused, onChange }: LineProps) => {
  const error = errors[name]
  const isPhone = name === 'phone'
  return (
    <Field.Root invalid={error !== undefined} required={isPhone}>
      <Field.Label>{label}</Field.Label>
      <Input
        {...(focused ? { 'data-autofocus': '' } : {})}
        type={isPhone ? 'tel' : 'text'}
        autoComplete="off"
        maxLength={isPhone ? 100 : 1024}
        value={values[name] ?? ''}
        onChange={event => onChange(name, event.target.value)}
      />
      {error === undefined ? null : <Field.ErrorText>{error}</Field.ErrorText>}
      {hint === undefined ? null : <Field.HelperText>{hint}</Field.HelperText>}
    </Field.Root>
  )
}

interface FormProps {
  readonly holder: ContactHolder
  readonly values: ContactValues
  readonly errors: ContactErrors
  onChange(name: string, value: string): void
}

/** Telephone and name. */
const FIXED_LINES = 2

/** Fields of a contact; shows those unused by campaign and contact on demand. */
export const ContactForm = ({ holder, values, errors, onChange }: FormProps) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const fieldName = useContactFieldName()
  const { data } = useQuery({ ...contactsQuery(holder, 1, 1), enabled: can('readcontact') })
  const [isFull, setFull] = useState(false)
  const used = usedFields(holder.campaign ?? {})
  const [first] = useState(() => shownFields(used, [values]))
  const shown = isFull ? [...first, ...FIELD_NAMES.filter(name => !first.includes(name))] : first
  const hintOf = (name: string) => {
    const variables = used.get(name)
    return variables === undefined
      ? undefined
      : t('form.fills', { variables: variables.map(variable => `{{${variable}}}`).join(', ') })
  }
  const given = { values, errors, onChange }
  const grid = useRef<HTMLDivElement>(null)
  /** The button goes; the first field that it shows takes the focus. */
  const showAll = () => {
    flushSync(() => setFull(true))
    grid.current?.querySelectorAll<HTMLElement>('input')[FIXED_LINES + first.length]?.focus()
  }
  return (
    <Stack gap="4">
      <SimpleGrid ref={grid} columns={{ base: 1, md: 2 }} gap="4">
        <Line {...given} name="phone" label={t('field.phone')} hint={t('form.phonehint')} focused />
        <Line {...given} name={NAME_FIELD} label={fieldName(NAME_FIELD)} hint={hintOf(NAME_FIELD)} />
        {shown.map(name => (
          <Line key={name} {...given} name={name} label={fieldName(name, data?.names)} hint={hintOf(name)} />
        ))}
      </SimpleGrid>
      {isFull ? null : (
        <HStack gap="3" flexWrap="wrap">
          <Button size="sm" variant="ghost" onClick={showAll}>
            <Plus size={14} aria-hidden="true" />
            {t('form.more')}
          </Button>
          {first.length > 0 || holder.campaign === undefined ? null : (
            <Text textStyle="secondary" color="fg.muted">
              {t('form.unused')}
            </Text>
          )}
        </HStack>
      )}
    </Stack>
  )
}

const valuesOf = (contact: Contact | undefined): ContactValues =>
  contact === undefined ? {} : { phone: contact.phone ?? '', nome: contact.nome, ...contact.fields }

/** A retry after a lost response sends the same key, which prevents duplicates. */
const newKey = (): string => crypto.randomUUID()

export const useSaveContact = (holder: ContactHolder, contact?: Contact) => {
  const { t } = useTranslation('contact')
  const client = useQueryClient()
  const [values, setValues] = useState<ContactValues>(() => valuesOf(contact))
  const [errors, setErrors] = useState<ContactErrors>({})
  const [failed, setFailed] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [key, setKey] = useState(newKey)
  const write = () => {
    const { phone = '', ...texts } = values
    if (contact === undefined) return http.post('/contact', { body: { ...holder.of, phone, ...texts }, key })
    return http.patch('/contact/{id}', { params: { id: contact.id }, body: { ...holder.of, phone, ...texts }, key })
  }
  const change = (name: string, value: string) => {
    setValues(before => ({ ...before, [name]: value }))
    setErrors(({ [name]: _gone, ...rest }) => rest)
    setKey(newKey())
  }
  /** Whether it is saved. */
  const save = async (): Promise<boolean> => {
    if ((values.phone ?? '').trim() === '') {
      setErrors({ phone: t('form.nophone') })
      return false
    }
    setBusy(true)
    setFailed(undefined)
    try {
      const { hints } = await write()
      await client.invalidateQueries({ queryKey: ['contact', holder.id] })
      setKey(newKey())
      const done = t(contact === undefined ? 'added' : 'changed')
      if (hints.length === 0) notice.snack(done, { tone: 'positive' })
      else notice.toast(done, { tone: 'warning', detail: hints.map(hint => t(`hint.${hint}`)).join(' ') })
      return true
    } catch (failure) {
      const told = errorsOf(failure)
      if (told === undefined) setFailed(failureOf(failure, t('notsaved')))
      else setErrors(told)
      return false
    } finally {
      setBusy(false)
    }
  }
  const clear = () => {
    setValues({})
    setErrors({})
  }
  return { values, errors, failed, isBusy, change, save, clear }
}
