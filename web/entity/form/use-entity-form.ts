import { useCallback, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'

import { api } from '#web/api/client.ts'
import { isProblem, type ToldError } from '#web/api/problem.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { useUnsaved } from '#web/form/unsaved.ts'
import { notice } from '#web/notice/notice.ts'
import { changeBody, createBody, type FormValues, initialValues } from './form-value.ts'

const FLASH_MS = 8000
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

export interface Conflict {
  readonly errors: readonly ToldError[]
  readonly body: Readonly<Record<string, Value>>
}

interface Options {
  readonly entity: EntityDeclaration
  readonly row: Row | undefined
  /** Given with what is made: the bot it lies in. */
  readonly fixed: Readonly<Record<string, string>>
  onCreated(id: string): void
}

/**
 * The state of a generated form: dirty fields, saving with the revision the edits are based on, others' changes merged
 * in while one edits, and the conflict when the same field was changed.
 */
export const useEntityForm = ({ entity, row, fixed, onCreated }: Options) => {
  const { t } = useTranslation('shell')
  const { refresh } = useEntityCommand(entity)
  const form = useForm<FormValues>({ defaultValues: { ...initialValues(entity, row), ...fixed } })
  const [errors, setErrors] = useState<readonly ToldError[]>([])
  const [failure, setFailure] = useState<string>()
  const [conflict, setConflict] = useState<Conflict>()
  const [meanwhile, setMeanwhile] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const known = useRef(row)
  const base = useRef(row?.revision ?? 0)
  const key = useRef(crypto.randomUUID())
  const dirty = Object.keys(form.formState.dirtyFields)
  const dirtyNow = useRef(dirty)
  dirtyNow.current = dirty
  const mine = useRef(new Set<number>())
  useUnsaved(dirty.length > 0 && !busy)

  useEffect(() => {
    const before = known.current
    if (row === undefined || before === undefined || row.revision <= before.revision) return
    known.current = row
    const others = mine.current.has(row.revision)
      ? []
      : Object.keys(entity.fields).filter(name => !same(row[name], before[name]) && !dirtyNow.current.includes(name))
    form.reset(initialValues(entity, row), { keepDirtyValues: true })
    if (dirtyNow.current.length === 0) base.current = row.revision
    if (others.length === 0) return
    setMeanwhile(Object.fromEntries(others.map(name => [name, row.modified_by ?? ''])))
    const timer = setTimeout(() => setMeanwhile({}), FLASH_MS)
    return () => clearTimeout(timer)
  }, [row, entity, form])

  const failed = (error: unknown) => {
    if (isProblem(error) && error.code === 'entity.conflict') return
    setErrors(isProblem(error) ? error.errors : [])
    setFailure(isProblem(error) && error.code !== 'network' ? error.message : t('error.noanswer'))
  }

  const create = async () => {
    const body = createBody(entity, { ...form.getValues(), ...fixed })
    const made = await api.post<{ id: string }>(`/${entity.name}`, body, { key: key.current })
    form.reset(form.getValues())
    await refresh()
    notice.snack(t('created'), { tone: 'positive' })
    onCreated(made.id)
  }

  const change = async (id: string, body: Readonly<Record<string, Value>>, revision: number) => {
    try {
      const done = await api.patch<{ revision: number }>(`/${entity.name}/${id}`, body, revision)
      mine.current.add(done.revision)
      base.current = done.revision
      form.reset(form.getValues())
      setConflict(undefined)
      await refresh()
      notice.snack(t('saved'), { tone: 'positive' })
    } catch (error) {
      if (isProblem(error) && error.code === 'entity.conflict') setConflict({ errors: error.errors, body })
      throw error
    }
  }

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    setErrors([])
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      failed(error)
    } finally {
      setBusy(false)
    }
  }

  const save = () =>
    run(async () => {
      const unreadable = dirty.filter(name => entity.fields[name]?.kind === 'json' && !isJson(form.getValues(name)))
      if (unreadable.length > 0) {
        setErrors(unreadable.map(path => ({ path, code: 'format' as const, message: t('form.json') })))
        setFailure(t('form.invalid'))
        return
      }
      if (row === undefined) await create()
      else await change(row.id, changeBody(entity, form.getValues(), dirty), base.current)
    })

  /** Saves again on the newest revision: one's own value where it was chosen, the other's elsewhere. */
  const resolve = (own: ReadonlySet<string>) =>
    run(async () => {
      if (row === undefined || conflict === undefined) return
      const newest = (await api.read<Row>(`/${entity.name}/${row.id}`)).data
      const lost = conflict.errors.filter(({ path }) => !own.has(path))
      for (const { path, theirs } of lost) form.resetField(path, { defaultValue: theirs ?? null })
      const body = Object.fromEntries(
        Object.entries(conflict.body).filter(([path]) => !lost.some(error => error.path === path)),
      )
      if (Object.keys(body).length > 0) return change(row.id, body, newest.revision)
      base.current = newest.revision
      setConflict(undefined)
      await refresh()
    })

  const discard = useCallback(() => {
    form.reset(initialValues(entity, known.current))
    base.current = known.current?.revision ?? 0
    setErrors([])
    setFailure(undefined)
  }, [form, entity])

  return {
    form,
    dirty,
    errors,
    failure,
    conflict,
    meanwhile,
    busy,
    save,
    resolve,
    discard,
    keepEditing: () => setConflict(undefined),
  }
}

const isJson = (value: unknown): boolean => {
  if (typeof value !== 'string' || value.trim() === '') return true
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
