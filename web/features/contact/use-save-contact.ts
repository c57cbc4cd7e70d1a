import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { notice } from '#web/notice/notice.ts'
import { type ContactErrors, type ContactValues, errorsOf } from './contact-form.tsx'
import type { Contact } from './contact-query.ts'
import type { ContactHolder } from './holder.ts'

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
