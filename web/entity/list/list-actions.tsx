import { Button, Kbd } from '@chakra-ui/react'
import { Download, Ellipsis, Plus, Undo2, Upload } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type EntityDeclaration, isSingle } from '#schemas/entity.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { saveFile } from '#web/components/save-file.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { notice } from '#web/notice/notice.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { type ListState, listFilterParams } from './list-state.ts'
import type { ListControl, ListPlace } from './use-list-state.ts'

/** Saves what a list is filtered to as CSV. Read as a whole, so that a refusal is shown and not saved. */
const useExport = ({ entity, fixed }: ListPlace, state: ListState) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const query = { ...listFilterParams(entity, state, fixed), sort: state.sort }
      const file = await http.file('/{entity}/export', { params: { entity: entity.name }, query })
      saveFile(file, `${label.plural(entity.name)}.csv`)
    } catch (error) {
      notice.toast(isProblem(error) ? error.message : t('error.noanswer'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return { save, isBusy }
}

const ImportDialog = lazyPart(async () => (await import('./import-dialog.tsx')).ImportDialog)

/** Goes where something new is made; undefined where that may not be. */
export const useCreate = (place: ListPlace, isRemoved: boolean): (() => void) | undefined => {
  const { can, user } = useSession()
  const navigate = useNavigate()
  const mayCreate = can(`create${place.entity.name}`) && !isRemoved && !isSingle(place.entity)
  const create = () => void navigate(place.newAt)
  useShortcut('n', create, mayCreate && user.seenby === undefined)
  return mayCreate ? create : undefined
}

interface NewProps {
  readonly entity: EntityDeclaration
  readonly create: () => void
}

export const NewButton = ({ entity, create }: NewProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const isNarrow = useMedia(PHONE)
  const viewing = useViewing()
  return (
    <Button variant="solid" onClick={create} {...viewing}>
      <Plus size={16} aria-hidden="true" />
      {t('new', { name: inSentence(label.name(entity.name)) })}
      {isNarrow ? null : (
        <Kbd bg="transparent" color="inherit" borderColor="currentColor" opacity="0.75" ms="1">
          N
        </Kbd>
      )}
    </Button>
  )
}

/** While the console is shown as another person sees it, the button says why it does nothing. */
const useViewing = () => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  return user.seenby === undefined ? {} : { disabled: true, title: t('seeas.readonly') }
}

/** On a phone, above the cards at the lower right. */
export const FloatingNew = ({ entity, create }: NewProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const viewing = useViewing()
  return (
    <Button
      variant="solid"
      size="xl"
      h="52px"
      px="5"
      position="fixed"
      bottom="4"
      right="4"
      borderRadius="full"
      boxShadow="overlay"
      zIndex="panel"
      onClick={create}
      {...viewing}
    >
      <Plus size={18} aria-hidden="true" />
      {t('new', { name: inSentence(label.name(entity.name)) })}
    </Button>
  )
}

interface Props {
  readonly place: ListPlace
  readonly control: ListControl
  readonly total: number
  readonly isNarrow: boolean
  readonly create: (() => void) | undefined
  /** In place of the button that makes something new. */
  readonly action?: ReactNode
  /** With the process that wrote it. */
  onImported(process: string): void
}

/** Right of the title: CSV out and in, and something new; among what was removed, the way back. */
export const ListActions = ({ place, control, total, isNarrow, create, action, onImported }: Props) => {
  const { t } = useTranslation('shell')
  const { t: tl } = useTranslation('list')
  const { can } = useSession()
  const { entity } = place
  const { save, isBusy } = useExport(place, control.state)
  const [isImporting, setImporting] = useState(false)
  if (control.state.removed) {
    return (
      <Button onClick={() => control.set({ removed: false })}>
        <Undo2 size={16} aria-hidden="true" />
        {t('list.leaveremoved')}
      </Button>
    )
  }
  const mayImport = entity.import !== undefined && can(`create${entity.name}`) && can(`update${entity.name}`)
  const dialog = isImporting ? (
    <Suspense fallback={null}>
      <ImportDialog entity={entity} fixed={place.fixed} onWritten={onImported} onClose={() => setImporting(false)} />
    </Suspense>
  ) : null
  if (isNarrow) {
    return (
      <>
        <ActionMenu
          label={tl('file')}
          actions={[
            { id: 'export', label: tl('export.do'), icon: Download, disabled: total === 0, run: () => void save() },
            ...(mayImport
              ? [{ id: 'import', label: tl('import.do'), icon: Upload, run: () => setImporting(true) }]
              : []),
          ]}
        >
          <IconButton icon={Ellipsis} label={tl('file')} size="xl" />
        </ActionMenu>
        {action}
        {dialog}
      </>
    )
  }
  return (
    <>
      <Button loading={isBusy} disabled={total === 0} onClick={() => void save()}>
        <Download size={15} aria-hidden="true" />
        {tl('export.do')}
      </Button>
      {mayImport ? (
        <Button onClick={() => setImporting(true)}>
          <Upload size={15} aria-hidden="true" />
          {tl('import.do')}
        </Button>
      ) : null}
      {create === undefined ? null : <NewButton entity={entity} create={create} />}
      {action}
      {dialog}
    </>
  )
}
