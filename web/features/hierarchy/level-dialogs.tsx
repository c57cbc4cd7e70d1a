import { Box, Button, Field, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQueries } from '@tanstack/react-query'
import { ArrowDown, FolderInput } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { submits } from '#web/components/submits.ts'
import { subtreeOf, treeRows } from '#web/components/tree.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { ReferencePicker } from '#web/form/control/reference-picker.tsx'
import { notice } from '#web/notice/notice.ts'
import { type Level, pathOf } from '#web/shell/level.ts'
import { LevelTree } from '#web/shell/level-tree.tsx'

interface NewLevelDialogProps {
  readonly parent: string
  readonly levels: readonly Level[]
  onClose(): void
}

const NOTHING_WITHIN = {}

const useNewLevel = ({ parent, onClose }: NewLevelDialogProps) => {
  const { t } = useTranslation('shell')
  const { refresh } = useEntityCommand(hierarchy)
  const [name, setName] = useState('')
  const [under, setUnder] = useState(parent)
  const [usergroup, setUsergroup] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isReady = name.trim() !== '' && under !== ''
  const create = async () => {
    if (busy || !isReady) return
    setBusy(true)
    try {
      const body = { name, parent: under, ...(usergroup === null ? {} : { usergroup }) }
      await http.post('/{entity}', { params: { entity: hierarchy.name }, body })
      await refresh()
      notice.snack(t('created'), { tone: 'positive' })
      onClose()
    } catch (failure) {
      setError(isProblem(failure) ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer'))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  const type = (typed: string) => {
    setName(typed)
    setError(undefined)
  }
  return { name, type, under, setUnder, usergroup, setUsergroup, error, busy, field, isReady, create }
}

const GroupField = ({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) => {
  const { t } = useTranslation('shell')
  const id = useId()
  return (
    <Field.Root ids={{ control: id }}>
      <Field.Label htmlFor={id}>{t('level.group')}</Field.Label>
      <ReferencePicker
        id={id}
        to="usergroup"
        within={NOTHING_WITHIN}
        disabled={false}
        invalid={false}
        required={false}
        value={value}
        onChange={onChange}
      />
    </Field.Root>
  )
}

/** Name, place and user group of a new level. Enter creates it, wherever in the dialog. */
export const NewLevelDialog = (props: NewLevelDialogProps) => {
  const { levels, onClose } = props
  const { t } = useTranslation('shell')
  const form = useId()
  const state = useNewLevel(props)
  return (
    <Modal
      title={t('level.new')}
      onClose={onClose}
      footer={<DialogButtons form={form} verb={t('form.create')} {...state} onClose={onClose} />}
    >
      <form id={form} noValidate onSubmit={submits(() => state.create())}>
        <Stack gap="4" pt="2">
          <Field.Root invalid={state.error !== undefined}>
            <Field.Label>{t('level.name')}</Field.Label>
            <Input
              ref={state.field}
              data-autofocus=""
              autoComplete="off"
              value={state.name}
              onChange={event => state.type(event.target.value)}
            />
            <Field.ErrorText>{state.error}</Field.ErrorText>
          </Field.Root>
          <Box>
            <Text textStyle="label" color="fg.muted" mb="1.5">
              {t('level.under')}
            </Text>
            <LevelTree levels={levels} chosen={state.under} label={t('level.under')} onChoose={state.setUnder} />
          </Box>
          <GroupField value={state.usergroup} onChange={state.setUsergroup} />
        </Stack>
      </form>
    </Modal>
  )
}

interface DialogButtonsProps {
  /** Id of the form that the verb submits. */
  readonly form: string
  readonly verb: string
  readonly busy: boolean
  readonly isReady: boolean
  onClose(): void
}

/** Leaves the dialog, or submits its form. */
const DialogButtons = ({ form, verb, busy, isReady, onClose }: DialogButtonsProps) => {
  const { t } = useTranslation('shell')
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button variant="solid" type="submit" form={form} loading={busy} disabled={!isReady}>
        {verb}
      </Button>
    </>
  )
}

interface MovePreviewProps {
  readonly level: Level
  readonly levels: readonly Level[]
  /** Undefined until another place is chosen. */
  readonly parent: Level | undefined
}

/** Entities counted in the branch, if the caller may read them. */
const COUNTED = ['bot', 'user', 'usergroup'] as const
const MAX_NAMES = 6
const NONE_CLOSED: ReadonlySet<string> = new Set()

/** Lists only include rows within the session's level. */
const useCounts = ({ level, levels }: MovePreviewProps) => {
  const { can, user } = useSession()
  const isWithin = subtreeOf(levels, user.hierarchylevel).has(level.id)
  const counted = COUNTED.filter(entity => isWithin && can(`read${entity}`))
  const totals = useQueries({
    queries: counted.map(entity => ({
      queryKey: [entity, 'inlevel', level.id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        http.get('/{entity}', { params: { entity }, query: { hierarchylevel: level.id, size: 1 }, signal }),
      staleTime: 0,
    })),
  })
  return counted.map((entity, at) => ({ entity, count: totals[at]?.data?.total ?? 0 })).filter(each => each.count > 0)
}

/** The levels, bots and people that move, and the path before and after. */
const MovePreview = (props: MovePreviewProps) => {
  const { level, levels, parent } = props
  const { t, i18n } = useTranslation('shell')
  const label = useLabel()
  const branch = subtreeOf(levels, level.id)
  const names = treeRows(
    levels.filter(({ id }) => branch.has(id)),
    NONE_CLOSED,
  ).map(({ item }) => item.name)
  const counts = useCounts(props).map(
    ({ entity, count }) => `${count} ${inSentence(count === 1 ? label.name(entity) : label.plural(entity))}`,
  )
  const list = new Intl.ListFormat(i18n.language)
  const left = names.length - MAX_NAMES
  const shown = [...names.slice(0, MAX_NAMES), ...(left > 0 ? [t('level.morelevels', { count: left })] : [])]
  return (
    <Stack role="group" aria-label={t('level.moves')} gap="1.5" mt="4" p="3" borderRadius="md" bg="bg.subtle">
      <Text textStyle="label">
        {t('level.moves')}: {list.format([t('level.levels', { count: names.length }), ...counts])}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {shown.join(', ')}
      </Text>
      {parent === undefined ? null : (
        <Box textStyle="dense">
          <Text color="fg.muted" textDecoration="line-through">
            {pathOf(levels, level.id).join(' / ')}
          </Text>
          <HStack gap="1.5" fontWeight="medium">
            <ArrowDown size={13} aria-hidden="true" style={{ flex: 'none' }} />
            <Text>{[...pathOf(levels, parent.id), level.name].join(' / ')}</Text>
          </HStack>
        </Box>
      )}
    </Stack>
  )
}

interface Props {
  readonly level: Level
  readonly levels: readonly Level[]
  /** Drop target; without it, the current parent is preselected. */
  readonly target?: string | undefined
  onMove(parent: Level): Promise<void>
  onClose(): void
}

/** Selects a branch's new parent: omits the branch and its contents. */
export const MoveLevelDialog = ({ level, levels, target, onMove, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const form = useId()
  const own = subtreeOf(levels, level.id)
  const [chosen, setChosen] = useState(target ?? level.parent ?? '')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const parent = levels.find(({ id }) => id === chosen)
  const isReady = parent !== undefined && chosen !== level.parent
  const submit = async () => {
    if (busy || !isReady) return
    setBusy(true)
    setError(undefined)
    try {
      await onMove(parent)
      onClose()
    } catch (failure) {
      setError(isProblem(failure) ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer'))
      setBusy(false)
    }
  }
  return (
    <Modal
      title={t('level.movetitle', { name: level.name })}
      icon={<FolderInput size={18} aria-hidden="true" />}
      onClose={onClose}
      footer={<DialogButtons form={form} verb={t('level.move')} busy={busy} isReady={isReady} onClose={onClose} />}
    >
      <Text textStyle="body" color="fg.muted" mb="3">
        {t('level.movetext')}
      </Text>
      <form id={form} onSubmit={submits(submit)}>
        <LevelTree
          levels={levels.filter(({ id }) => !own.has(id))}
          chosen={chosen}
          label={t('level.movebelow')}
          autoFocus
          onChoose={setChosen}
        />
      </form>
      <MovePreview level={level} levels={levels} parent={isReady ? parent : undefined} />
      <ErrorLine text={error} mt="3" />
    </Modal>
  )
}
