import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { blockOf } from '#schemas/blocks/registry.ts'
import { blockSizeOf, type CanvasState, type LinkDrag, useWords } from './canvas/canvas-context.ts'
import { cursorAt } from './canvas/cursor-mapping.ts'
import { FlowCanvas } from './canvas/flow-canvas.tsx'
import { linkAtBox } from './canvas/link-hit-test.ts'
import { ShapeEditContext } from './canvas/shape-face.tsx'
import type { DragReport } from './canvas/use-drag.ts'
import type { OutputRef } from './canvas/use-link-drag.ts'
import type { MenuPlace } from './canvas/use-menu-press.ts'
import { FailedTestBadges } from './chrome/test-status-badge.tsx'
import { useMode } from './mode/mode-context.ts'
import type { Point } from './model/geometry.ts'
import { Cursors, PeerLayer } from './session/presence/peer-layer.tsx'
import './people/people.css'
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
import { type MenuAction, PointerMenu } from '#web/components/action-menu.tsx'
import { focusBlockIfLost } from './canvas/focus-block.ts'
import { useCommands } from './commands/commands.ts'
import { useBlockKeys } from './keyboard/use-block-keys.ts'
import { plainTitle } from './model/label.ts'
import { paletteEntry } from './model/question-kinds.ts'
import { readingOrder } from './model/reading-order.ts'
import { TrialMarks } from './publish/trial-panel.tsx'
import { useDesigner } from './session/designer.ts'

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
const CanvasMenu = ({ asked, onLink, onClose }: CanvasMenuProps) => {
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

interface LiveCanvasProps {
  readonly name: string
  readonly readOnly: boolean
  readonly onLinkKey: (block: string) => void
}

/** Selects the menu's target if it is not selected yet. */
const choose = ({ selection, focus }: CanvasState, { block, link }: MenuPlace) => {
  const { blocks, links } = selection.get()
  if (block !== undefined) {
    if (!blocks.has(block)) selection.set({ blocks: new Set([block]), links: new Set() })
    focus.set(block)
  } else if (link !== undefined && !links.has(link)) selection.set({ blocks: new Set(), links: new Set([link]) })
}

/** The menu that is open on the canvas. */
const useMenu = () => {
  const { canvas } = useDesigner()
  const [asked, ask] = useState<MenuPlace>()
  const onMenu = useCallback(
    (place: MenuPlace) => {
      choose(canvas, place)
      ask(place)
    },
    [canvas],
  )
  const onMenuClose = useCallback(() => ask(undefined), [])
  return { asked, onMenu, onMenuClose }
}

/** Area around the pointer where a dropped block finds a link. Flow pixels. */
const AROUND = { width: 100, height: 60 } as const

/** Adds a dropped palette block; on a link, between its two blocks. */
const useDropBlock = () => {
  const { canvas } = useDesigner()
  const commands = useCommands()
  return useCallback(
    (type: string, at: Point) => {
      const { nodes, links } = canvas.flow.get()
      const box = { x: at.x - AROUND.width / 2, y: at.y - AROUND.height / 2, ...AROUND }
      const link = links.get(linkAtBox(canvas, box) ?? '')
      const source = nodes.get(link?.from ?? '')
      const block = blockOf(paletteEntry(type).type)
      const mayPart = block?.runs === true && block.hasInput && block.hasOutput
      if (link === undefined || source === undefined || !mayPart) return commands.addAt(type, at)
      const output = { from: link.from, fromConnector: link.fromConnector }
      commands.add(type, { after: { source, output, link } })
    },
    [canvas, commands],
  )
}

/** Puts a dropped block on a link, and tells between which blocks it stands then. */
const usePart = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { canvas, actions, said, notice } = useDesigner()
  return useCallback(
    (block: string, link: string, at: Point) => {
      const { nodes, links } = canvas.flow.get()
      const title = (id: string | undefined) => {
        const node = nodes.get(id ?? '')
        return node === undefined ? '' : plainTitle(node, words)
      }
      const joined = links.get(link)
      if (!actions.part(block, link, at)) return
      const text = t('said.parted', { title: title(block), from: title(joined?.from), to: title(joined?.to) })
      said.set(text)
      notice.set({ text, undo: true })
    },
    [canvas, actions, said, notice, t, words],
  )
}

/** Shows the others where this person's pointer is, and what it carries or pulls. */
const useOwnPresence = () => {
  const { room, canvas } = useDesigner()
  const { presence } = room
  const onPointer = useCallback(
    (at: Point | undefined, block?: string) => {
      canvas.pointer.at = at
      presence.show({ cursor: at && cursorAt(canvas, at, block) })
    },
    [presence, canvas],
  )
  const onDragging = useCallback(
    (drag: DragReport | undefined) => presence.show({ drag: drag && { ...drag, ids: drag.ids.slice(0, 200) } }),
    [presence],
  )
  const onPull = useCallback(
    (pull: LinkDrag | undefined) =>
      presence.show({
        link: pull && {
          from: pull.from,
          fromConnector: pull.fromConnector,
          x: Math.round(pull.x),
          y: Math.round(pull.y),
        },
      }),
    [presence],
  )
  return { onPointer, onDragging, onPull }
}

/** The canvas of an open flow: writes edits to the document and shows them to others live. */
export const LiveCanvas = ({ name, readOnly, onLinkKey }: LiveCanvasProps) => {
  const { t } = useTranslation('designer')
  const designer = useDesigner()
  const { tool } = useMode()
  const commands = useCommands()
  const { room, canvas, actions } = designer
  const onKeyDown = useBlockKeys(designer, onLinkKey)

  useEffect(() => {
    const settle = () => {
      const at = canvas.focus.get()
      if (at === undefined || !canvas.flow.get().nodes.has(at)) canvas.focus.set(readingOrder(canvas.flow.get())[0])
    }
    settle()
    return canvas.flow.subscribe(settle)
  }, [canvas])

  const { onPointer, onDragging, onPull } = useOwnPresence()
  const onEmpty = useCallback(
    (pulled: OutputRef, flow: Point, screen: Point) =>
      commands.openAdd({ x: flow.x - blockSizeOf(canvas).width / 2, y: flow.y }, pulled, screen),
    [commands, canvas],
  )
  const onPort = useCallback(
    (output: OutputRef, screen: Point) => commands.openAdd(undefined, output, screen),
    [commands],
  )
  const onInsert = useCallback(() => commands.openAdd(), [commands])
  const onParted = usePart()
  const onDropBlock = useDropBlock()
  const { asked, onMenu, onMenuClose } = useMenu()
  const onOpen = useCallback((block: string) => designer.wanted.set({ block }), [designer])
  const canvasOf = (
    <FlowCanvas
      state={canvas}
      label={t('canvas.label', { name })}
      readOnly={readOnly}
      tool={tool}
      onPointer={onPointer}
      onDragging={onDragging}
      onDropped={actions.move}
      onParted={onParted}
      onPull={onPull}
      {...(readOnly ? {} : { onRelink: actions.relink, onInsert })}
      onMenu={onMenu}
      onLink={actions.link}
      onEmpty={onEmpty}
      onPort={onPort}
      onOpen={onOpen}
      onDropBlock={onDropBlock}
      onKeyDown={onKeyDown}
    >
      <PeerLayer peers={room.peers} />
      <Cursors peers={room.peers} />
      <FailedTestBadges />
      <TrialMarks />
      {asked === undefined ? null : <CanvasMenu asked={asked} onLink={onLinkKey} onClose={onMenuClose} />}
    </FlowCanvas>
  )
  return readOnly ? canvasOf : <ShapeEditContext value={actions}>{canvasOf}</ShapeEditContext>
}
