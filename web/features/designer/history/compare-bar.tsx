import { ArrowDownUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/icon-button.tsx'
import type { Moment } from '#web/entity/flow/flow-revision.ts'
import { minuteOf, weekdayOf } from './day.ts'
import { namesOf } from './people-names.ts'
import { useTravelling } from './use-travel.ts'

/** A moment among the ends of all sessions, or any other one that the slider has found. */
const MomentChoice = (props: {
  readonly label: string
  readonly value: Moment
  readonly onChoose: (revision: number) => void
}) => {
  const { sessions } = useTravelling()
  const ends = sessions.map(({ last }) => last)
  const known = ends.some(({ revision }) => revision === props.value.revision)
  const choices = known ? ends : [...ends, props.value].sort((a, b) => a.revision - b.revision)
  return (
    <label>
      <small>{props.label}</small>
      <select value={props.value.revision} onChange={event => props.onChoose(Number(event.target.value))}>
        {choices.toReversed().map(({ revision, time, authors }) => (
          <option key={revision} value={revision}>
            {`${weekdayOf(time, 'short')} ${minuteOf(time)} · ${namesOf(authors)}`}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Any two moments: one is where the slider is, the other is chosen here or by its own handle. */
export const CompareBar = () => {
  const { t } = useTranslation('history')
  const { at, other, go, compareWith } = useTravelling()
  const swap = () => {
    go(other.revision)
    compareWith(at.revision)
  }
  return (
    <div className="pt-between">
      <MomentChoice label={t('flow.thisMoment')} value={at} onChoose={go} />
      <IconButton icon={ArrowDownUp} size="xs" label={t('flow.swap')} onClick={swap} />
      <MomentChoice label={t('flow.otherMoment')} value={other} onChoose={compareWith} />
    </div>
  )
}
