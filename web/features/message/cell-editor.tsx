import { Button, HStack, Link, Stack, Text, Textarea } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { formAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import type { Row, Value } from '#web/entity/entity-query.ts'
import { useValidation } from '#web/entity/form/use-form-faults.ts'
import type { ListPlace } from '#web/entity/list/use-list-state.ts'
import { SwitchLabel } from '#web/form/control/choice-control.tsx'
import { FieldConflict } from '#web/form/form-field.tsx'
import { useUnsaved } from '#web/form/unsaved-prompt.tsx'
import { notice } from '#web/notice/notice.ts'
import type { MatrixCell, MatrixRow } from './matrix-query.ts'

interface Options {
  readonly place: ListPlace
  readonly row: MatrixRow
  readonly locale: string
  readonly cell: MatrixCell
  onDone(): void
}

interface Draft {
  readonly message: string
  readonly enabled: boolean
}

/** Change by another person during the edit. */
interface Meanwhile {
  readonly before: string
  readonly theirs: string
}

const draftOf = (own: MatrixCell['own']): Draft => ({ message: own?.message ?? '', enabled: own?.enabled ?? true })

/** Base of an edit: the message when the edit began, or as another person saved it since, which is then shown. */
const useBase = ({ place: { entity }, cell }: Options, isBusy: boolean) => {
  const [base, setBase] = useState(cell.own)
  const [meanwhile, setMeanwhile] = useState<Meanwhile>()

  // Another person created the message missing here.
  useEffect(() => {
    if (base !== null || cell.own === null || isBusy) return
    setBase(cell.own)
    setMeanwhile({ before: '', theirs: cell.own.message })
  }, [base, cell.own, isBusy])

  const meet = async () => {
    if (base === null) return
    const newest = await http.get('/{entity}/{id}', { params: { entity: entity.name, id: base.id } })
    const theirs = String(newest.message)
    setBase({ id: base.id, revision: newest.revision, message: theirs, enabled: newest.enabled === true })
    setMeanwhile({ before: base.message, theirs })
  }
  return { base, meanwhile, meet, settle: () => setMeanwhile(undefined) }
}

type Body = Readonly<Record<string, Value>>

/** Request body: a whole new message, else the changed fields. */
const bodyOf = ({ place, row, locale }: Options, base: MatrixCell['own'], draft: Draft): Body => {
  const { namespace, code } = row
  const message = draft.message === '' ? null : draft.message
  const { enabled } = draft
  if (base === null) return { ...place.fixed, locale, namespace, code, message, enabled }
  return {
    ...(draft.message === base.message ? {} : { message }),
    ...(enabled === base.enabled ? {} : { enabled }),
  }
}

/** Removing a message, with the way back in the notice. */
const useTakeAway = ({ place: { entity }, onDone }: Options) => {
  const { remove, failed } = useEntityCommand(entity)
  return async (id: string) => {
    try {
      await remove(await http.get('/{entity}/{id}', { params: { entity: entity.name, id } }))
      onDone()
    } catch (error) {
      failed(error)
    }
  }
}

/** Edits one text: saves the changes on the edit's base revision. */
const useCellSave = (options: Options) => {
  const { place, row, locale, cell, onDone } = options
  const { entity, fixed } = place
  const { t } = useTranslation('shell')
  const { refresh, failed } = useEntityCommand(entity)
  const takeAway = useTakeAway(options)
  const [draft, setDraft] = useState(() => draftOf(cell.own))
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { base, meanwhile, meet, settle } = useBase(options, isBusy)
  const key = useRef(crypto.randomUUID())
  const { namespace, code } = row
  const stored = base === null ? undefined : { ...fixed, locale, namespace, code, ...base }
  const validate = useValidation(entity, stored as unknown as Row | undefined)
  const saved = draftOf(base)

  const send = (body: Body) =>
    base === null
      ? http.post('/{entity}', { params: { entity: entity.name }, body, key: key.current })
      : http.patch('/{entity}/{id}', { params: { entity: entity.name, id: base.id }, body, revision: base.revision })

  const fail = async (error: unknown) => {
    if (!isProblem(error) || error.code === 'network') return setFault(t('error.noanswer'))
    if (error.code === 'entity.conflict') return meet()
    // It was made meanwhile: reading the matrix again brings it.
    if (error.code === 'entity.name.taken') await refresh()
    setFault(error.errors[0]?.message ?? error.message)
  }

  const save = async () => {
    const body = bodyOf(options, base, draft)
    const [found] = await validate(body, body)
    setFault(found?.message)
    if (found !== undefined) return
    setBusy(true)
    try {
      await send(body)
      await refresh()
      notice.snack(t(base === null ? 'created' : 'saved'), { tone: 'positive' })
      onDone()
    } catch (error) {
      key.current = crypto.randomUUID()
      await fail(error).catch(failed)
    } finally {
      setBusy(false)
    }
  }

  const change = (next: Partial<Draft>) => {
    setFault(undefined)
    setDraft(before => ({ ...before, ...next }))
  }
  const useTheirs = () => {
    setDraft(saved)
    settle()
  }
  const isDirty = draft.message !== saved.message || (base !== null && draft.enabled !== saved.enabled)
  return { draft, base, meanwhile, fault, isBusy, isDirty, change, useTheirs, save, takeAway }
}

interface Props {
  readonly place: ListPlace
  readonly row: MatrixRow
  readonly locale: string
  readonly cell: MatrixCell
  /** Which text it is, for screen readers. */
  readonly name: string
  /** Reports whether unsaved text exists. */
  onDirty(isDirty: boolean): void
  onClose(): void
}

/** The text that is used without an own one. */
const GeneralText = ({ general }: { readonly general: NonNullable<MatrixCell['general']> }) => {
  const { t } = useTranslation('entity/localemessage')
  const { can } = useSession()
  return (
    <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
      {t('matrix.generaltext')}: {general.message}{' '}
      {can('readlocalemessage') ? (
        <Link asChild>
          <RouterLink to={`/localemessage/${general.id}`}>{t('matrix.open')}</RouterLink>
        </Link>
      ) : null}
    </Text>
  )
}

interface EditProps {
  readonly place: ListPlace
  readonly edit: ReturnType<typeof useCellSave>
}

/** Of a message that is there: whether it is used, and the way to its history. */
const StoredFacts = ({ place, edit }: EditProps) => {
  const { t } = useTranslation('entity/localemessage')
  const { t: ts } = useTranslation('shell')
  return (
    <HStack gap="3" flexWrap="wrap" textStyle="secondary">
      <SwitchLabel
        label={t('field.enabled.label')}
        value={edit.draft.enabled}
        disabled={edit.isBusy}
        onChange={enabled => edit.change({ enabled })}
      />
      <Link asChild>
        <RouterLink to={formAddress(place.formAt(edit.base?.id ?? ''), { history: true })}>
          <History size={13} aria-hidden="true" />
          {ts('history')}
        </RouterLink>
      </Link>
    </HStack>
  )
}

const Buttons = ({ place, edit, hasGeneral, onClose }: EditProps & { hasGeneral: boolean; onClose(): void }) => {
  const { t } = useTranslation('entity/localemessage')
  const { t: ts } = useTranslation('shell')
  const { can } = useSession()
  const { base } = edit
  return (
    <HStack gap="2" justify="flex-end" flexWrap="wrap">
      {base !== null && can(`delete${place.entity.name}`) ? (
        <Button size="sm" variant="ghost" me="auto" disabled={edit.isBusy} onClick={() => void edit.takeAway(base.id)}>
          {t(hasGeneral ? 'matrix.usegeneral' : 'matrix.remove')}
        </Button>
      ) : null}
      <Button size="sm" variant="ghost" onClick={onClose}>
        {ts('cancel')}
      </Button>
      <Button size="sm" variant="solid" loading={edit.isBusy} disabled={!edit.isDirty} onClick={() => void edit.save()}>
        {ts('form.save')}
      </Button>
    </HStack>
  )
}

/** A text in its cell: Enter saves, Shift and Enter begins a line, Escape leaves it as it was. */
export const CellEditor = ({ place, row, locale, cell, name, onDirty, onClose }: Props) => {
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const edit = useCellSave({ place, row, locale, cell, onDone: onClose })
  const { draft, base, meanwhile, fault, isBusy, isDirty } = edit
  useUnsaved(isDirty)
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  useEffect(() => {
    box.current?.focus()
    box.current?.select()
  }, [])
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onClose()
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.target !== box.current) return
    event.preventDefault()
    if (isDirty && !isBusy) void edit.save()
    else if (!isDirty) onClose()
  }
  return (
    <Stack gap="2" onKeyDown={onKeyDown}>
      <Textarea
        ref={box}
        aria-label={name}
        aria-invalid={fault !== undefined}
        {...(fault === undefined ? {} : { 'aria-describedby': `${id}-fault` })}
        placeholder={cell.general?.message ?? ''}
        rows={Math.max(2, Math.min(12, draft.message.split('\n').length))}
        value={draft.message}
        onChange={event => edit.change({ message: event.target.value })}
      />
      {fault === undefined ? null : (
        <Text id={`${id}-fault`} role="alert" textStyle="secondary" color="danger.fg">
          {fault}
        </Text>
      )}
      {meanwhile === undefined ? null : (
        <FieldConflict
          id={`${id}-conflict`}
          before={meanwhile.before === '' ? '–' : meanwhile.before}
          theirs={meanwhile.theirs}
          onUseTheirs={edit.useTheirs}
        />
      )}
      {cell.general === null ? null : <GeneralText general={cell.general} />}
      {base === null ? null : <StoredFacts place={place} edit={edit} />}
      <Buttons place={place} edit={edit} hasGeneral={cell.general !== null} onClose={onClose} />
    </Stack>
  )
}
