import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { mergeItems } from '#domain/field/merge-items.ts'
import { clearedFields } from '#domain/field/validate.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ListField } from '#schemas/field/kind.ts'
import { isProblem, type LocalizedFieldProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useClearedReferencesNotice, useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { useRunningBotsNotice } from '#web/entity/use-running-bots-notice.ts'
import { controlValue, type FormValues, initialValues, recordValues } from '#web/form/form-value.ts'
import { useUnsaved } from '#web/form/unsaved-prompt.tsx'
import { notice } from '#web/notice/notice.ts'
import { bodyOf, useFormFaults } from './use-form-faults.ts'

/** Names the fields that were cleared because they are no longer shown or allowed. Returns the id of the notice. */
export const announceClearedFields = (t: TFunction<'shell'>, labels: readonly string[], undo?: () => void): number =>
  notice.snack(
    t('form.cleared', { fields: labels.join(', ') }),
    undo === undefined ? {} : { action: { label: t('undo'), run: undo } },
  )

/** Says that something was saved, in the entity's own words where it has some, and what of it was cleared. */
const useTellSaved = (entity: EntityDeclaration) => {
  const label = useLabel()
  const tellCleared = useClearedReferencesNotice(entity)
  const tellRunning = useRunningBotsNotice()
  return (usual: string, { id, cleared }: AnswerOf<'PATCH /{entity}/{id}'>): void => {
    const text = label.message(entity.name, 'message.saved') ?? usual
    if (!tellCleared(cleared, { text })) notice.snack(text, { tone: 'positive' })
    if (entity.name === 'nlusettings' || entity.name === 'agentchannel') void tellRunning(text, entity.name, id)
  }
}

const FLASH_MS = 8000
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

type Form = UseFormReturn<FormValues>

type Body = Readonly<Record<string, Value>>

interface Sending {
  readonly body: Body
  /** All values of the form when the body was made: what is typed later is not saved with it. */
  readonly sent: FormValues
}

/** Writes values that were not sent into a form, as changes of this person. */
const putUnsaved = (form: Form, values: FormValues): void => {
  for (const [name, value] of Object.entries(values)) form.setValue(name, value, { shouldDirty: true })
}

/** Values that this person changed after they were sent. */
const typedSince = (form: Form, { body, sent }: Sending): FormValues => {
  const isTyped = (name: string, value: unknown) =>
    !same(value, sent[name]) && (name in body || form.getFieldState(name).isDirty)
  return structuredClone(Object.fromEntries(Object.entries(form.getValues()).filter(one => isTyped(...one))))
}

/** Cached values typed during the creation of a thing; the cache is emptied when the session ends. */
const typedAtCreation = (id: string) => ['typed at creation', id] as const

/** The page of a new thing shows what was typed during its creation as unsaved changes. */
const useTypedAtCreation = ({ fields }: EntityDeclaration, id: string | undefined, form: Form): void => {
  const client = useQueryClient()
  useEffect(() => {
    if (id === undefined) return
    const queryKey = typedAtCreation(id)
    const values = client.getQueryData<FormValues>(queryKey)
    if (values === undefined) return
    client.removeQueries({ queryKey })
    putUnsaved(form, Object.fromEntries(Object.entries(values).filter(([name]) => fields[name]?.fixed === false)))
  }, [client, fields, id, form])
}

interface UseMergedRowOptions {
  readonly entity: EntityDeclaration
  readonly row: Row | undefined
  readonly form: Form
  /** Revision that the edits are based on. */
  readonly base: RefObject<number>
  /** Revisions that this form made. */
  readonly mine: RefObject<Set<number>>
}

/**
 * Merges changes of others into the fields that are not edited here, and names who changed them for a few seconds.
 * Read-only fields follow from tests, webhooks and other fields: they have no author.
 */
const useMergedRow = ({ entity, row, form, base, mine }: UseMergedRowOptions) => {
  const [meanwhile, setMeanwhile] = useState<Readonly<Record<string, string>>>({})
  const known = useRef(row)
  const dirty = useRef<readonly string[]>([])
  dirty.current = Object.keys(form.formState.dirtyFields)
  useEffect(() => {
    const before = known.current
    if (row === undefined || before === undefined || row.revision <= before.revision) return
    known.current = row
    const others = mine.current.has(row.revision)
      ? []
      : Object.entries(entity.fields).flatMap(([name, field]) =>
          field.readonly === true || same(row[name], before[name]) || dirty.current.includes(name) ? [] : name,
        )
    form.reset(initialValues(entity, row), { keepDirtyValues: true })
    if (dirty.current.length === 0) base.current = row.revision
    if (others.length === 0) return
    setMeanwhile(Object.fromEntries(others.map(name => [name, row.modified_by ?? ''])))
    const timer = setTimeout(() => setMeanwhile({}), FLASH_MS)
    return () => clearTimeout(timer)
  }, [row, entity, form, base, mine])
  return { meanwhile, known }
}

const DIRTY = { shouldDirty: true } as const

/**
 * Clears the fields that a change leaves out (`when`) or narrows (`per`), as the server does on saving, and says so with
 * a way to undo it.
 */
const useClearedFields = (entity: EntityDeclaration, form: Form): void => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const before = useRef<FormValues>({})
  before.current = structuredClone(form.getValues())
  useEffect(() => {
    const isConditional = Object.values(entity.fields).some(
      field => field.when !== undefined || field.per !== undefined,
    )
    if (!isConditional) return
    const { unsubscribe } = form.watch((_, { name }) => {
      if (name === undefined) return
      const values = form.getValues()
      const shown = recordValues(entity, values)
      const cleared = clearedFields(entity.fields, shown, { [name]: shown[name] ?? null })
      const names = Object.keys(cleared)
      if (names.length === 0) return
      const undone = { [name]: before.current[name], ...Object.fromEntries(names.map(each => [each, values[each]])) }
      const initial = initialValues(entity, undefined)
      for (const each of names)
        form.setValue(each, entity.fields[each]?.kind === 'json' ? initial[each] : cleared[each], DIRTY)
      announceClearedFields(
        t,
        names.map(each => label.field(entity.name, each)),
        () => {
          for (const [each, value] of Object.entries(undone)) form.setValue(each, value, DIRTY)
        },
      )
    })
    return unsubscribe
  }, [entity, form, label, t])
}

export interface Conflict extends Sending {
  readonly errors: readonly LocalizedFieldProblem[]
  /** The revision that the edits are based on. */
  readonly base: number
  /** The dialog is closed; the fields show both values. */
  readonly isKept: boolean
}

interface Options {
  readonly entity: EntityDeclaration
  readonly row: Row | undefined
  /** Given with a new record: the bot it belongs to. */
  readonly fixed: Readonly<Record<string, string>>
  /** Values that a new record's form begins with, over those of the declaration. */
  readonly begins?: Readonly<Record<string, string>> | undefined
  onCreated(made: AnswerOf<'POST /{entity}'>): void
}

const NO_CONFLICTS: readonly LocalizedFieldProblem[] = []

/** Sends what was checked: creates, or changes on the revision that the edits are based on. */
const useSave = (options: Options, form: Form) => {
  const { entity, row, onCreated } = options
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const { refresh } = useEntityCommand(entity)
  const tell = useTellSaved(entity)
  const [conflict, setConflict] = useState<Conflict>()
  const base = useRef(row?.revision ?? 0)
  const mine = useRef(new Set<number>())
  const key = useRef(crypto.randomUUID())

  const create = async (sending: Sending) => {
    const { body } = sending
    const made = await http.post('/{entity}', { params: { entity: entity.name }, body, key: key.current })
    await refresh()
    client.setQueryData(typedAtCreation(made.id), typedSince(form, sending))
    form.reset(form.getValues())
    tell(t('created'), made)
    onCreated(made)
  }

  const change = async (id: string, { body, sent }: Sending, revision: number) => {
    try {
      const done = await http.patch('/{entity}/{id}', { params: { entity: entity.name, id }, body, revision })
      mine.current.add(done.revision)
      base.current = done.revision
      const typed = typedSince(form, { body, sent })
      const stored = Object.keys(typed).map(name => [name, sent[name]])
      form.reset({ ...form.getValues(), ...Object.fromEntries(stored) })
      putUnsaved(form, typed)
      setConflict(undefined)
      await refresh()
      tell(t('saved'), done)
    } catch (error) {
      if (isProblem(error) && error.code === 'entity.conflict')
        setConflict({ errors: error.errors, body, sent, base: revision, isKept: false })
      throw error
    }
  }

  /** Saves again on the newest revision: one's own value where it was chosen, the other's elsewhere. */
  const resolve = async (own: ReadonlySet<string>) => {
    if (row === undefined || conflict === undefined) return
    const newest = await http.get('/{entity}/{id}', { params: { entity: entity.name, id: row.id } })
    const lost = conflict.errors.filter(({ path, items }) => items === undefined && !own.has(path))
    for (const { path, theirs } of lost) form.resetField(path, { defaultValue: theirs ?? null })
    const merged = chosenLists(entity, conflict, newest, own)
    for (const [path, items] of Object.entries(merged)) {
      const { [path]: field } = entity.fields
      if (field !== undefined) form.setValue(path, controlValue(field, items), { shouldDirty: true })
    }
    const kept = Object.entries(conflict.body).filter(([path]) => !lost.some(error => error.path === path))
    const body = { ...Object.fromEntries(kept), ...merged }
    const settled = [...lost.map(({ path }) => path), ...Object.keys(merged)].map(path => [path, form.getValues(path)])
    const sent = { ...conflict.sent, ...structuredClone(Object.fromEntries(settled)) }
    if (Object.keys(body).length > 0) return change(row.id, { body, sent }, newest.revision)
    base.current = newest.revision
    setConflict(undefined)
    await refresh()
  }

  return { base, mine, conflict, setConflict, create, change, resolve }
}

/**
 * The state of a generated form: dirty fields, errors, saving with the revision the edits are based on, others' changes
 * merged in while one edits, and the conflict when the same field was changed.
 */
export const useEntityForm = (options: Options) => {
  const { entity, row, fixed, begins } = options
  const form = useForm<FormValues>({ defaultValues: { ...initialValues(entity, row), ...begins, ...fixed } })
  const [busy, setBusy] = useState(false)
  const dirty = Object.keys(form.formState.dirtyFields)
  const inForm = { entity, row, fixed, form }
  const faults = useFormFaults(inForm)
  const { base, mine, conflict, setConflict, create, change, resolve } = useSave(options, form)
  const { meanwhile, known } = useMergedRow({ entity, row, form, base, mine })
  useClearedFields(entity, form)
  useTypedAtCreation(entity, row?.id, form)
  useUnsaved(dirty.length > 0 && !busy)

  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    faults.clear()
    try {
      await work()
    } catch (error) {
      faults.fail(error)
    } finally {
      setBusy(false)
    }
  }

  const save = () =>
    run(async () => {
      const sending = { body: bodyOf(inForm), sent: structuredClone(form.getValues()) }
      if (!(await faults.isSendable(sending.body))) return
      if (row === undefined) await create(sending)
      else await change(row.id, sending, base.current)
    })

  const { clear } = faults
  const discard = useCallback(() => {
    form.reset(initialValues(entity, known.current))
    base.current = known.current?.revision ?? 0
    setConflict(undefined)
    clear()
  }, [form, entity, known, base, setConflict, clear])

  return {
    form,
    dirty,
    errors: faults.errors,
    failure: faults.failure,
    refusals: faults.refusals,
    check: (name: string) => void faults.check(name),
    conflict: conflict?.isKept === false ? conflict : undefined,
    conflicts: conflict?.isKept ? conflict.errors.filter(({ path }) => dirty.includes(path)) : NO_CONFLICTS,
    meanwhile,
    busy,
    save,
    resolve: (own: ReadonlySet<string>) => run(() => resolve(own)),
    discard,
    keepEditing: () => setConflict(before => before && { ...before, isKept: true }),
  }
}

/** Key of one choice: a field, or an item of a list. */
export const choiceKey = (path: string, item?: string): string => (item === undefined ? path : `${path} ${item}`)

interface Sides {
  readonly error: LocalizedFieldProblem
  /** The list as it was sent, and as it stands now. */
  readonly yours: Value
  readonly theirs: Value
  /** Keys of what is kept as it was sent. */
  readonly own: ReadonlySet<string>
}

/** The list with every change that merges, and of each item in conflict the side that was chosen. */
export const chosenItems = (field: ListField, { error, yours, theirs, own }: Sides): readonly JsonObject[] => {
  const versions = { before: error.before ?? null, yours, theirs }
  const isYours = (id: string) => own.has(choiceKey(error.path, id))
  return mergeItems(field, versions, id => (isYours(id) ? 'yours' : 'theirs')).items
}

/** The lists of a conflict, as they were chosen item by item. */
const chosenLists = (
  { fields }: EntityDeclaration,
  { errors, body }: Pick<Conflict, 'errors' | 'body'>,
  newest: Readonly<Record<string, Value>>,
  own: ReadonlySet<string>,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(
    errors.flatMap(error => {
      const { [error.path]: field } = fields
      if (error.items === undefined || field?.kind !== 'list') return []
      const sides = { error, yours: body[error.path] ?? null, theirs: newest[error.path] ?? null, own }
      return [[error.path, chosenItems(field, sides) as Value]]
    }),
  )
