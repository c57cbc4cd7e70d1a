import {
  ArrowRightToLine,
  FlaskConical,
  History,
  type LucideIcon,
  Play,
  RotateCcw,
  StepForward,
  Undo2,
} from 'lucide-react'
import { type ComponentProps, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { SaveTestForm } from '#web/features/conversationtest/index.ts'
import { useNames } from '../session/flow-names.ts'
import type { SimulationRun } from './use-simulation.ts'

/** Keeps what was said as a test, between two turns. */
const KeepRun = ({ run: { view, busy } }: { readonly run: SimulationRun }) => {
  const { t } = useTranslation('simulation')
  const { can } = useSession()
  const { bot, flow } = useNames()
  const [isOpen, setOpen] = useState(false)
  if (bot === undefined || !can('createconversationtest')) return null
  const isBetween = view !== undefined && !busy && !['paused', 'calling'].includes(view.status)
  return (
    <>
      <button
        type="button"
        className="pl-tool"
        title={t('control.keep')}
        disabled={!isBetween || view.said.length === 0}
        onClick={() => setOpen(true)}
      >
        <FlaskConical size={16} aria-hidden />
        <span>{t('control.keep')}</span>
      </button>
      {isOpen && view !== undefined ? (
        <SaveTestForm
          bot={bot.id}
          source="simulation"
          name={flow?.name ?? ''}
          fileOf={name => http.post('/simulation/{id}/test', { params: { id: view.simulation }, body: { name } })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

interface RunControlsProps {
  readonly run: SimulationRun
  readonly paused: boolean
  readonly onPaused: (paused: boolean) => void
  /** The drawing is there to choose blocks on. */
  readonly isDrawn: boolean
  /** The selected block, where there is one. */
  readonly selected: string | undefined
  /** Goes back before the selected block and runs on; absent where it has not run. */
  readonly onRerun: (() => void) | undefined
  readonly onRestart: () => void
}

const STEP_KEY = 'F10'

interface ToolProps extends ComponentProps<'button'> {
  readonly icon: LucideIcon
  readonly text: string
  readonly keyName?: string
}

const Tool = ({ icon: Icon, text, keyName, ...button }: ToolProps) => (
  <button type="button" className="pl-tool" title={text} {...button}>
    <Icon size={16} aria-hidden />
    <span>{text}</span>
    {keyName === undefined ? null : <kbd>{keyName}</kbd>}
  </button>
)

/** Step, run, run to a block, back, and restart. */
export const RunControls = ({ run, paused, onPaused, isDrawn, selected, onRerun, onRestart }: RunControlsProps) => {
  const { t } = useTranslation('simulation')
  const { view, busy } = run
  const isPaused = view?.status === 'paused' && !busy
  // While waiting, sets the next turn's breakpoint.
  const canStop = view !== undefined && !busy && view.status === 'waiting'
  const toSelected = () => {
    if (selected === undefined) return
    if (isPaused) run.run([selected])
    else run.stopAt(run.stop === selected ? undefined : selected)
  }
  const hasRun = view !== undefined && !busy && (view.steps.length > 0 || view.said.length > 0)
  // With the drawing of the pause, not after it: a key between the two would be lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== STEP_KEY) return
      event.preventDefault()
      if (isPaused) run.step()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [run, isPaused])
  return (
    <div className="pl-float ps-controls" role="toolbar" aria-label={t('controls')}>
      <label className="ps-toggle">
        <input type="checkbox" checked={paused} onChange={event => onPaused(event.target.checked)} />
        {t('control.bystep')}
      </label>
      <Tool icon={StepForward} text={t('control.step')} keyName={STEP_KEY} disabled={!isPaused} onClick={run.step} />
      <Tool icon={Play} text={t('control.run')} disabled={!isPaused} onClick={() => run.run()} />
      {isDrawn ? (
        <Tool
          icon={ArrowRightToLine}
          text={t('control.to')}
          title={t(isPaused ? 'control.tohint' : 'control.stophint')}
          disabled={!(isPaused || canStop) || selected === undefined}
          aria-pressed={run.stop !== undefined && run.stop === selected}
          onClick={toSelected}
        />
      ) : null}
      <Tool icon={Undo2} text={t('control.back')} disabled={!hasRun} onClick={run.back} />
      {isDrawn ? (
        <Tool
          icon={History}
          text={t('control.rerun')}
          title={t('control.rerunhint')}
          disabled={busy || onRerun === undefined}
          onClick={onRerun}
        />
      ) : null}
      <Tool icon={RotateCcw} text={t('control.restart')} disabled={busy} onClick={onRestart} />
      <KeepRun run={run} />
    </div>
  )
}
