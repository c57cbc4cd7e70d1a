import {
  ClipboardPaste,
  Copy,
  CopyPlus,
  Group,
  Link2,
  Maximize,
  Plus,
  Scissors,
  Spline,
  SquareDashedMousePointer,
  SquarePen,
  Trash2,
  Workflow,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type MenuAction, PointerMenu } from '#web/components/action-menu.tsx'
import { focusBlockIfLost } from '../canvas/focus-block.ts'
import type { MenuPlace } from '../canvas/use-menu-press.ts'
import { useCommands } from '../commands/commands.ts'
import { useDesigner } from '../session/designer.ts'

interface CanvasMenuProps {
  readonly asked: MenuPlace
  readonly onLink: (block: string) => void
  readonly onClose: () => void
}

const useBlockActions = (onLink: (block: string) => void): readonly MenuAction[] => {
  const { t } = useTranslation('designer')
  const { canvas, mayEdit, wanted } = useDesigner()
  const commands = useCommands()
  const [id = '', more] = canvas.selection.get().blocks
  const isOne = more === undefined
  const hasOutput = (canvas.flow.get().nodes.get(id)?.outputs.length ?? 0) > 0
  const copy = { id: 'copy', label: t('menu.copy'), icon: Copy, keys: 'Ctrl C', run: commands.copy }
  const link = { id: 'copyLink', label: t('inspector.copyLink'), icon: Link2, run: () => commands.copyLink(id) }
  if (!mayEdit) return isOne ? [copy, link] : [copy]
  const open = () => wanted.set({ block: id, typed: '' })
  const ofOne: readonly MenuAction[] = [
    { id: 'edit', label: t('menu.edit'), icon: SquarePen, keys: 'Enter', run: open },
    ...(hasOutput
      ? [
          { id: 'add', label: t('menu.addAfter'), icon: Plus, keys: 'A', run: () => commands.openAdd() },
          { id: 'link', label: t('inspector.link'), icon: Spline, keys: 'L', run: () => onLink(id) },
        ]
      : []),
  ]
  return [
    ...(isOne ? ofOne : []),
    { ...copy, separated: isOne },
    { id: 'cut', label: t('menu.cut'), icon: Scissors, keys: 'Ctrl X', run: commands.cut },
    { id: 'duplicate', label: t('inspector.duplicate'), icon: CopyPlus, keys: 'Ctrl D', run: commands.duplicate },
    ...(isOne ? [link] : [{ id: 'tidy', label: t('tool.tidy'), icon: Workflow, run: commands.tidy }]),
    { id: 'group', label: t('tool.group'), icon: Group, keys: 'G', run: commands.group },
    {
      id: 'remove',
      label: t('inspector.remove'),
      icon: Trash2,
      keys: 'Del',
      danger: true,
      separated: true,
      run: commands.remove,
    },
  ]
}

const useLinkActions = (): readonly MenuAction[] => {
  const { t } = useTranslation('designer')
  const { mayEdit } = useDesigner()
  const commands = useCommands()
  if (!mayEdit) return []
  return [
    { id: 'add', label: t('menu.addBetween'), icon: Plus, keys: 'A', run: () => commands.openAdd() },
    {
      id: 'remove',
      label: t('menu.removeLink'),
      icon: Trash2,
      keys: 'Del',
      danger: true,
      separated: true,
      run: commands.remove,
    },
  ]
}

/** Menu actions for an empty place of the canvas. */
const usePlaceActions = ({ flow, screen }: MenuPlace): readonly MenuAction[] => {
  const { t } = useTranslation('designer')
  const { canvas, mayEdit, notice, said } = useDesigner()
  const commands = useCommands()
  const paste = () => {
    const held = navigator.clipboard?.readText() ?? Promise.reject(new Error('no clipboard'))
    held.then(commands.paste, () => {
      said.set(t('menu.noClipboard'))
      notice.set({ text: t('menu.noClipboard'), tone: 'failed' })
    })
  }
  const all = () => canvas.selection.set({ blocks: new Set(canvas.flow.get().nodes.keys()), links: new Set() })
  const fit = { id: 'fit', label: t('tool.fit'), icon: Maximize, keys: '⇧1', run: commands.fit }
  if (!mayEdit) return [fit]
  return [
    {
      id: 'add',
      label: t('menu.addHere'),
      icon: Plus,
      keys: 'A',
      run: () => commands.openAdd(flow, undefined, screen),
    },
    { id: 'paste', label: t('menu.paste'), icon: ClipboardPaste, keys: 'Ctrl V', run: paste },
    { id: 'all', label: t('menu.all'), icon: SquareDashedMousePointer, keys: 'Ctrl A', separated: true, run: all },
    { id: 'tidy', label: t('tool.tidy'), icon: Workflow, run: commands.tidy },
    fit,
  ]
}

/** The menu of a block, a link or the empty canvas, where it was asked for. */
export const CanvasMenu = ({ asked, onLink, onClose }: CanvasMenuProps) => {
  const { t } = useTranslation('designer')
  const { canvas } = useDesigner()
  const ofBlock = useBlockActions(onLink)
  const ofLink = useLinkActions()
  const ofPlace = usePlaceActions(asked)
  const actions = asked.block !== undefined ? ofBlock : asked.link !== undefined ? ofLink : ofPlace
  const close = () => {
    onClose()
    focusBlockIfLost(canvas.focus.get())
  }
  return actions.length === 0 ? null : (
    <PointerMenu label={t('menu.title')} actions={actions} at={asked.screen} onClose={close} />
  )
}
