import { Button, chakra, HStack, Link, Stack, Text, Textarea } from '@chakra-ui/react'
import { History } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { formAddress } from '#web/entity/address.ts'
import type { ListPlace } from '#web/entity/list/use-list-state.ts'
import { SwitchControl } from '#web/form/control/choice-control.tsx'
import { FieldConflict } from '#web/form/field-conflict.tsx'
import { useUnsaved } from '#web/form/unsaved-prompt.tsx'
import type { MatrixCell, MatrixRow } from './matrix-query.ts'
import { useCellSave } from './use-cell-save.ts'

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
const StoredFacts = ({ place, edit, id }: EditProps & { readonly id: string }) => {
  const { t } = useTranslation('entity/localemessage')
  const { t: ts } = useTranslation('shell')
  return (
    <HStack gap="3" flexWrap="wrap" textStyle="secondary">
      <HStack gap="2">
        <SwitchControl
          id={id}
          value={edit.draft.enabled}
          disabled={edit.isBusy}
          readOnly={false}
          onChange={enabled => edit.change({ enabled })}
        />
        <chakra.label htmlFor={id} id={`${id}-label`}>
          {t('field.enabled.label')}
        </chakra.label>
      </HStack>
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
      {base === null ? null : <StoredFacts place={place} edit={edit} id={`${id}-enabled`} />}
      <Buttons place={place} edit={edit} hasGeneral={cell.general !== null} onClose={onClose} />
    </Stack>
  )
}
