import './rehearsal.css'
import { chakra } from '@chakra-ui/react'
import { ArrowRight } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { sameEnds, summaryOf } from './rehearsal-summary.ts'
import type { RehearsalGroupView, RehearsalView } from './use-rehearsal.ts'

/** Numbers in the reader's language; null: fewer than five. */
export const useCounts = () => {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const number = new Intl.NumberFormat(i18n.language)
    return (count: number | null): string => (count === null ? '< 5' : number.format(count))
  }, [i18n.language])
}

/** The name of a block: its title, else its type. */
export const useBlockName = () => {
  const { t } = useTranslation('block')
  return ({ title, type }: { readonly title: string; readonly type: string }): string =>
    title === '' || title.includes('/') ? t(`type.${type}`, { defaultValue: type }) : title
}

const unknownOf = ({ unknown }: RehearsalView): number => unknown.reduce((sum, { count }) => sum + (count ?? 0), 0)

/** Parts of the conversations that were run, as one bar. */
export const RehearsalBar = ({ view }: { readonly view: RehearsalView }) => {
  const { t } = useTranslation('rehearsal')
  const countOf = useCounts()
  const parts = [
    { kind: 'same', count: sameEnds(view) },
    { kind: 'elsewhere', count: view.elsewhere },
    {
      kind: 'unknown',
      count: view.unknown.some(({ count }) => count === null) && unknownOf(view) === 0 ? null : unknownOf(view),
    },
  ] as const
  const whole = Math.max(1, view.total)
  return (
    <>
      <div
        className="rh-bar"
        role="progressbar"
        aria-label={t('progress')}
        aria-valuemin={0}
        aria-valuemax={view.total}
        aria-valuenow={view.done}
      >
        {parts.map(({ kind, count }) => (
          <i key={kind} data-kind={kind} style={{ width: `${((count ?? 1) / whole) * 100}%` }} />
        ))}
      </div>
      <ul className="rh-legend">
        {parts.map(({ kind, count }) => (
          <li key={kind}>
            <i data-kind={kind} />
            <b>{countOf(count)}</b> {t(`part.${kind}`, { count: count ?? 2 })}
          </li>
        ))}
      </ul>
    </>
  )
}

/** An end in a few words. */
const EndPill = ({ end, side }: { readonly end: RehearsalGroupView['today']; readonly side: 'today' | 'after' }) => {
  const { t } = useTranslation('rehearsal')
  const nameOf = useBlockName()
  const name = end.at === null ? t('end.nowhere') : nameOf(end.at)
  return (
    <span className="rh-end" data-side={side}>
      <chakra.span srOnly>{t(side)}: </chakra.span>
      {t(`end.${end.kind}`, { name })}
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
export const usePartial = () => {
  const { t } = useTranslation('rehearsal')
  const countOf = useCounts()
  return ({ state, done, total }: RehearsalView): string | undefined =>
    state === 'late' || state === 'stopped' || state === 'failed'
      ? t(`state.${state}`, { done: countOf(done), total: countOf(total) })
      : undefined
}

/** Result of a rehearsal that ended, in one sentence. */
export const useSummary = () => {
  const { t } = useTranslation('rehearsal')
  const countOf = useCounts()
  return (view: RehearsalView): string => {
    const { text, count, total } = summaryOf(view)
    return t(text, { count: count ?? 2, shown: countOf(count), total: countOf(total) })
  }
}

/** Why the end of some conversations is not known. */
export const UnknownList = ({ view }: { readonly view: RehearsalView }) => {
  const { t } = useTranslation('rehearsal')
  const countOf = useCounts()
  if (view.unknown.length === 0) return null
  return (
    <ul className="rh-unknown" aria-label={t('part.unknown', { count: 2 })}>
      {view.unknown
        .toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0))
        .map(({ why, count }) => (
          <li key={why}>
            <strong>{countOf(count)}</strong>
            <span>{t(`why.${why}`)}</span>
          </li>
        ))}
    </ul>
  )
}
