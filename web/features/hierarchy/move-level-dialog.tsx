import { Box, HStack, Stack, Text } from '@chakra-ui/react'
import { useQueries } from '@tanstack/react-query'
import { ArrowDown, FolderInput } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { subtreeOf, treeRows } from '#web/components/tree.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { type Level, pathOf } from '#web/shell/level.ts'
import { LevelTree } from '#web/shell/level-tree.tsx'
import { DialogButtons } from './dialog-buttons.tsx'

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
      open
      title={t('level.movetitle', { name: level.name })}
      icon={<FolderInput size={18} aria-hidden="true" />}
      onClose={onClose}
      footer={<DialogButtons form={form} verb={t('level.move')} busy={busy} isReady={isReady} onClose={onClose} />}
    >
      <Text textStyle="body" color="fg.muted" mb="3">
        {t('level.movetext')}
      </Text>
      <form
        id={form}
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <LevelTree
          levels={levels.filter(({ id }) => !own.has(id))}
          chosen={chosen}
          label={t('level.movebelow')}
          autoFocus
          onChoose={setChosen}
        />
      </form>
      <MovePreview level={level} levels={levels} parent={isReady ? parent : undefined} />
      {error === undefined ? null : (
        <Box mt="3">
          <ErrorLine text={error} />
        </Box>
      )}
    </Modal>
  )
}
