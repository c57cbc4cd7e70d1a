import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DockButton } from '../mode/dock-button.tsx'
import { minuteOf, momentSummary, type Range, weekdayOf } from './edit-days.ts'
import type { Flag } from './flag.ts'
import { Track } from './track.tsx'
import { useTravelling } from './use-travel.ts'

const RANGES = ['day', 'three', 'all'] as const

interface DockProps {
  readonly flags: readonly Flag[]
  readonly playing: boolean
  readonly onPlay: () => void
  readonly phone: boolean
}

/** The line of time under the canvas. */
export const Dock = ({ flags, playing, onPlay, phone }: DockProps) => {
  const { t } = useTranslation('history')
  const { at, session, index, moments, fresh, stepSession } = useTravelling()
  const [range, setRange] = useState<Range>('three')
  const whole = at === session.last
  return (
    <section className="pt-dock" data-region="dock" aria-label={t('flow.dock')}>
      <div className="pt-dock-head">
        <DockButton label={t('flow.sessionBefore')} keys="⇧←" disabled={index === 0} onClick={() => stepSession(-1)}>
          <SkipBack size={15} aria-hidden />
        </DockButton>
        <DockButton label={t(playing ? 'flow.pause' : 'flow.play')} keys={t('flow.space')} onClick={onPlay}>
          {playing ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </DockButton>
        <DockButton
          label={t('flow.sessionAfter')}
          keys="⇧→"
          disabled={index === moments.length - 1}
          onClick={() => stepSession(1)}
        >
          <SkipForward size={15} aria-hidden />
        </DockButton>
        <p className="pt-sentence">
          <b>{phone ? `${weekdayOf(at.time, 'short')} ${minuteOf(at.time)}` : minuteOf(at.time)}</b>
          <span>{momentSummary(whole ? { ...at, authors: session.authors, summary: session.summary } : at, t)}</span>
        </p>
        <span className="pt-fresh" role="status">
          {fresh > 0 ? t('flow.fresh', { count: fresh }) : ''}
        </span>
        {phone ? null : (
          <>
            <small className="pt-quiet-note">{t('flow.quiet')}</small>
            <fieldset className="pl-seg" data-small aria-label={t('flow.range')}>
              {RANGES.map(one => (
                <button key={one} type="button" aria-pressed={range === one} onClick={() => setRange(one)}>
                  {t(`flow.ranges.${one}`)}
                </button>
              ))}
            </fieldset>
          </>
        )}
      </div>
      <Track range={range} flags={flags} small={phone} />
    </section>
  )
}
