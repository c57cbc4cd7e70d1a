import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Replay } from '#web/features/conversation/index.ts'
import { durationOf, secondOf } from '#web/format/time.ts'
import { DockButton } from '../mode/dock-button.tsx'
import { ReplayTrack } from './replay-track.tsx'
import { SPEEDS, type Walk } from './use-replay-player.ts'

interface WalkDockProps {
  readonly walk: Walk
  readonly replay: Replay
  readonly title: string
  readonly phone: boolean
}

/** The conversation on a line of time, and the keys along it. */
export const ReplayDock = ({ walk, replay, title, phone }: WalkDockProps) => {
  const { t } = useTranslation('replay')
  const { moments, index, at, playing, speed } = walk
  const time = secondOf(new Date(at.time).toISOString())
  const took = at.step !== undefined && at.step.ms >= 1 ? ` · ${durationOf(at.step.ms)}` : ''
  const sentence = at.step === undefined ? t('turn', { turn: at.turn.turn }) : `${title}${took}`
  return (
    <section className="pt-dock" data-region="dock" aria-label={t('dock')}>
      <div className="pt-dock-head">
        <DockButton label={t('back')} keys="←" disabled={index === 0} onClick={() => walk.step(-1)}>
          <SkipBack size={15} aria-hidden />
        </DockButton>
        <DockButton label={t(playing ? 'pause' : 'play')} keys={t('space')} onClick={walk.play}>
          {playing ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </DockButton>
        <DockButton label={t('forward')} keys="→" disabled={index === moments.length - 1} onClick={() => walk.step(1)}>
          <SkipForward size={15} aria-hidden />
        </DockButton>
        <p className="pt-sentence" role="status">
          <b>{time}</b>
          <span>{sentence}</span>
        </p>
        {phone ? null : <small className="pt-quiet-note">{t('folded')}</small>}
        <fieldset className="pl-seg" data-small aria-label={t('speed')}>
          {SPEEDS.map(one => (
            <button key={one} type="button" aria-pressed={speed === one} onClick={() => walk.setSpeed(one)}>
              {one}×
            </button>
          ))}
        </fieldset>
      </div>
      <ReplayTrack walk={walk} replay={replay} text={`${time}. ${sentence}`} phone={phone} />
    </section>
  )
}
