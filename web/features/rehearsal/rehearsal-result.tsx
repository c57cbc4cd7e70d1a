import './rehearsal.css'
import { chakra } from '@chakra-ui/react'
import { ArrowRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { FEW } from '#domain/metrics/shown-count.ts'
import { numberText } from '#web/format/number.ts'
import { sameEnds, summaryOf } from './rehearsal-summary.ts'
import type { RehearsalGroupView, RehearsalView } from './use-rehearsal.ts'

/** A number; null: fewer than five. */
export const countText = (count: number | null): string => (count === null ? '< 5' : numberText(count))

/** The name of a block: its title, else its type. */
export const useBlockName = () => {
  const { t } = useTranslation('block')
  return ({ title, type }: { readonly title: string; readonly type: string }): string =>
    isMachineTitle(title, type) ? t(`type.${type}`, { defaultValue: type }) : title
}

/** Conversations whose end is not known; null: fewer than five for each reason. */
const unknownOf = ({ unknown }: RehearsalView): number | null => {
  const known = unknown.flatMap(({ count }) => count ?? [])
  return unknown.length > 0 && known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
}

/** Parts of the conversations that were run, as one bar. */
export const RehearsalBar = ({ view }: { readonly view: RehearsalView }) => {
  const { t } = useTranslation('rehearsal')
  const parts = [
    { kind: 'same', count: sameEnds(view) },
    { kind: 'elsewhere', count: view.elsewhere },
    { kind: 'unknown', count: unknownOf(view) },
  ] as const
  const whole = Math.max(1, view.total ?? FEW)
  return (
    <>
      <div
        className="rh-bar"
        role="progressbar"
        aria-label={t('progress')}
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={view.done ?? 1}
      >
        {parts.map(({ kind, count }) => (
          <i key={kind} data-kind={kind} style={{ width: `${((count ?? 1) / whole) * 100}%` }} />
        ))}
      </div>
      <ul className="rh-legend">
        {parts.map(({ kind, count }) => (
          <li key={kind}>
            <i data-kind={kind} />
            <b>{countText(count)}</b> {t(`part.${kind}`, { count: count ?? 2 })}
          </li>
        ))}
      </ul>
    </>
  )
}

type End = RehearsalGroupView['today']

/** An end in a few words. */
export const useEndText = () => {
  const { t } = useTranslation('rehearsal')
  const nameOf = useBlockName()
  return ({ kind, at }: End): string => t(`end.${kind}`, { name: at === null ? t('end.nowhere') : nameOf(at) })
}

const EndPill = ({ end, side }: { readonly end: End; readonly side: 'today' | 'after' }) => {
  const { t } = useTranslation('rehearsal')
  const textOf = useEndText()
  return (
    <span className="rh-end" data-side={side}>
      <chakra.span srOnly>{t(side)}: </chakra.span>
      {textOf(end)}
    </span>
  )
}

/** Both ends of a group. */
export const GroupEnds = ({ group }: { readonly group: RehearsalGroupView }) => (
  <span className="rh-ends">
    <EndPill end={group.today} side="today" />
    <ArrowRight size={12} aria-hidden />
    <EndPill end={group.after} side="after" />
  </span>
)

/** Remark on the numbers of a rehearsal that ended early; undefined for a whole one. */
export const usePartial = ({ state, done, total }: RehearsalView): string | undefined => {
  const { t } = useTranslation('rehearsal')
  return state === 'late' || state === 'stopped' || state === 'failed'
    ? t(`state.${state}`, { done: countText(done), total: countText(total) })
    : undefined
}

/** Result of a rehearsal that ended, in one sentence. */
export const useSummary = (view: RehearsalView): string => {
  const { t } = useTranslation('rehearsal')
  const { text, count, total } = summaryOf(view)
  return t(text, { count: count ?? 2, shown: countText(count), total: countText(total) })
}

/** Why the end of some conversations is not known. */
export const UnknownList = ({ view }: { readonly view: RehearsalView }) => {
  const { t } = useTranslation('rehearsal')
  return (
    <ul className="rh-unknown" aria-label={t('part.unknown', { count: 2 })}>
      {view.unknown
        .toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0))
        .map(({ why, count }) => (
          <li key={why}>
            <strong>{countText(count)}</strong>
            <span>{t(`why.${why}`)}</span>
          </li>
        ))}
    </ul>
  )
}
