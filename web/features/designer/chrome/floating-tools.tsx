import { useReactFlow, useStore } from '@xyflow/react'
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalSpaceBetween,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceBetween,
  Expand,
  Group,
  Hand,
  type LucideIcon,
  Maximize,
  Minus,
  MousePointer2,
  Plus,
  Redo2,
  Route,
  Search,
  Undo2,
  Workflow,
} from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { Hint } from '#web/components/hint.tsx'
import type { CanvasState } from '../canvas/canvas-context.ts'
import { useCanvasRoom, useFit, useZoomStep, ZOOM } from '../canvas/zoom.ts'
import { useCommands } from '../commands/commands.ts'
import { ModeContext, useMode } from '../mode/mode-context.ts'
import { ARRANGEMENTS, type Arrangement } from '../model/arrange.ts'
import { useStoreValue } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { prepareLayout } from '../session/edit/layout-client.ts'
import { usePhone } from '../session/use-phone.ts'

interface ToolProps {
  readonly label: string
  readonly keys?: string
  readonly on?: boolean
  readonly disabled?: boolean
  readonly onClick: () => void
  /** The pointer or the keyboard is on it: it may be pressed next. */
  readonly onNear?: () => void
  readonly children: React.ReactNode
}

const Tool = ({ label, keys, on, disabled, onClick, onNear, children }: ToolProps) => (
  <Hint text={label} side="top" {...(keys === undefined ? {} : { keys })}>
    <button
      type="button"
      className="pl-tool"
      aria-label={label}
      aria-pressed={on}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onClick}
      onPointerEnter={onNear}
      onFocus={onNear}
    >
      {children}
    </button>
  </Hint>
)

/** Zoom and fit, at the left of the canvas; on a phone at its right, with the search that has no other place there. */
export const ZoomTools = ({ canvas }: { readonly canvas: CanvasState }) => {
  const { t } = useTranslation('designer')
  const showAll = useFit(canvas)
  // A replay has no designer around it, and nothing to search.
  const mode = use(ModeContext)
  const phone = usePhone()
  const step = useZoomStep()
  const out = (
    <Tool label={t('tool.zoomOut')} keys="-" onClick={() => step(-1)}>
      <Minus size={16} aria-hidden />
    </Tool>
  )
  return (
    <div className="pl-float pl-zoom" role="toolbar" aria-label={t('tool.zoom')}>
      {phone ? null : out}
      {phone ? null : <ZoomLevel />}
      <Tool label={t('tool.zoomIn')} keys="+" onClick={() => step(1)}>
        <Plus size={16} aria-hidden />
      </Tool>
      {phone ? out : null}
      <Tool label={t('tool.fit')} keys="⇧1" onClick={() => showAll()}>
        <Maximize size={16} aria-hidden />
      </Tool>
      {phone && mode !== undefined ? (
        <Tool label={t('tool.find')} onClick={() => mode.send({ type: 'FIND' })}>
          <Search size={16} aria-hidden />
        </Tool>
      ) : null}
    </div>
  )
}

/** Separate: it changes in each frame of a zoom, the buttons and hints beside it never. */
const ZoomShare = () => <b>{useStore(state => Math.round(state.transform[2] * 100))}%</b>

const ZoomLevel = () => {
  const { t } = useTranslation('designer')
  const { zoomTo } = useReactFlow()
  return (
    <Hint text={t('tool.zoomReset')} keys="0" side="top">
      <button type="button" className="pl-tool" onClick={() => void zoomTo(1, { duration: ZOOM.duration })}>
        <ZoomShare />
      </button>
    </Hint>
  )
}

const useUndoable = () => {
  const { undo } = useDesigner()
  const [, render] = useState(0)
  useEffect(() => undo.onChange(() => render(count => count + 1)), [undo])
  return { undo: undo.canUndo(), redo: undo.canRedo() }
}

const ARRANGE_ICONS: Readonly<Record<Arrangement, LucideIcon>> = {
  left: AlignStartVertical,
  center: AlignCenterVertical,
  right: AlignEndVertical,
  top: AlignStartHorizontal,
  middle: AlignCenterHorizontal,
  bottom: AlignEndHorizontal,
  spreadAside: AlignHorizontalSpaceBetween,
  spreadDown: AlignVerticalSpaceBetween,
}

/** Puts several selected blocks in line, or evenly apart. */
const Arrange = () => {
  const { t } = useTranslation('designer')
  const commands = useCommands()
  const actions = ARRANGEMENTS.map(how => ({
    id: how,
    label: t(`arrange.${how}`),
    icon: ARRANGE_ICONS[how],
    separated: how === 'top' || how === 'spreadAside',
    run: () => commands.arrange(how),
  }))
  return (
    <ActionMenu label={t('arrange.title')} actions={actions} align="start">
      <button type="button" className="pl-tool" aria-label={t('arrange.title')} title={t('arrange.title')}>
        <AlignStartVertical size={16} aria-hidden />
      </button>
    </ActionMenu>
  )
}

export const EditTools = () => {
  const { t } = useTranslation('designer')
  const { mayEdit, canvas } = useDesigner()
  const { tool, sheet, full, send } = useMode()
  const commands = useCommands()
  const able = useUndoable()
  const several = useStoreValue(canvas.selection, ({ blocks }) => blocks.size > 1)
  const room = useCanvasRoom()
  return (
    <div className="pl-float pl-tools" data-room={room} role="toolbar" aria-label={t('tool.tools')}>
      <Tool label={t('tool.select')} keys="V" on={tool === 'select'} onClick={() => send({ type: 'SELECT' })}>
        <MousePointer2 size={17} aria-hidden />
      </Tool>
      <Tool label={t('tool.pan')} keys="H" on={tool === 'pan'} onClick={() => send({ type: 'PAN' })}>
        <Hand size={17} aria-hidden />
      </Tool>
      {mayEdit ? (
        <>
          <i className="pl-rule" />
          <Tool label={t('tool.add')} keys="A" onClick={() => commands.openAdd()}>
            <Plus size={16} aria-hidden />
            <span>{t('tool.block')}</span>
          </Tool>
          <Tool label={t('tool.tidyHint')} onClick={commands.tidy} onNear={prepareLayout}>
            <Workflow size={16} aria-hidden />
            <span>{t('tool.tidy')}</span>
          </Tool>
          {several ? <Arrange /> : null}
          {several ? (
            <Tool label={t('tool.group')} keys="G" onClick={commands.group}>
              <Group size={16} aria-hidden />
            </Tool>
          ) : null}
          <i className="pl-rule" />
          <Tool label={t('tool.undo')} keys="Ctrl Z" disabled={!able.undo} onClick={commands.undo}>
            <Undo2 size={17} aria-hidden />
          </Tool>
          <Tool label={t('tool.redo')} keys="Ctrl Y" disabled={!able.redo} onClick={commands.redo}>
            <Redo2 size={17} aria-hidden />
          </Tool>
        </>
      ) : null}
      <i className="pl-rule" />
      <Tool label={t('tool.find')} keys="Ctrl F" onClick={() => send({ type: 'FIND' })}>
        <Search size={17} aria-hidden />
      </Tool>
      <Tool label={t('track.title')} keys="T" on={sheet === 'track'} onClick={() => send({ type: 'TRACK' })}>
        <Route size={16} aria-hidden />
      </Tool>
      <Tool label={full ? t('tool.leaveFull') : t('tool.full')} on={full} onClick={() => send({ type: 'FULLSCREEN' })}>
        <Expand size={16} aria-hidden />
      </Tool>
    </div>
  )
}
