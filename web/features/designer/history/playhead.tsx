import { useTranslation } from 'react-i18next'
import { indexAt } from '#web/entity/flow/flow-revision.ts'
import { momentOf } from './day.ts'
import { momentWords } from './moment-words.ts'
import { useTravelling } from './use-travel.ts'

interface PlayheadProps {
  readonly x: number
  /** The moment one is at, or the other one of a comparison. */
  readonly of: 'at' | 'other'
}

/** A handle on the track: drag it, or use the arrow keys. */
export const Playhead = ({ x, of }: PlayheadProps) => {
  const { t } = useTranslation('history')
  const travel = useTravelling()
  const { moments, index, at, head, other, compareWith } = travel
  const moment = of === 'at' ? at : other
  const place = of === 'at' ? index : indexAt(moments, other.revision)
  const onKeyDown = (event: React.KeyboardEvent) => {
    // The keys of the moment one is at are the page's own.
    if (of === 'at') return
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key]
    const next = moments[Math.min(Math.max(0, place + (by ?? 0)), moments.length - 1)]
    if (by === undefined || next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    compareWith(next.revision)
  }
  return (
    <div
      className="pt-head"
      data-other={of === 'other' || undefined}
      style={{ left: x }}
      role="slider"
      tabIndex={0}
      aria-label={t(of === 'at' ? 'flow.slider' : 'flow.sliderOther')}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={moments.length}
      aria-valuenow={place + 1}
      aria-valuetext={`${momentOf(moment.time)}. ${momentWords(moment, t)}. ${t('flow.place', { revision: moment.revision, total: head.revision })}`}
      onKeyDown={onKeyDown}
    />
  )
}
