import { Box, Text } from '@chakra-ui/react'
import { FolderInput } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { subtreeOf } from '#web/components/tree.ts'
import type { Level } from '#web/shell/level.ts'
import { LevelTree } from '#web/shell/level-tree.tsx'
import { DialogButtons } from './dialog-buttons.tsx'
import { MovePreview } from './move-preview.tsx'

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
