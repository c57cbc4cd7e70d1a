import { useTranslation } from 'react-i18next'
import { type Counts, MARK_KINDS, type MarkKind } from '#web/entity/flow/read-revisions.ts'

const SIGN: Readonly<Record<MarkKind, string>> = { added: 'M4 8h8M8 4v8', changed: '', removed: 'M4 8h8' }

/** Square with a plus, triangle, disc with a minus: the change kind without color. */
export const ChangeMark = ({ kind }: { readonly kind: MarkKind }) => (
  <svg className="pt-mark" data-diff={kind} width={14} height={14} viewBox="0 0 16 16" aria-hidden="true">
    {kind === 'added' ? <rect x="1" y="1" width="14" height="14" rx="2.5" /> : null}
    {kind === 'changed' ? <path d="M8 1.2 15.4 15H.6z" /> : null}
    {kind === 'removed' ? <circle cx="8" cy="8" r="7.2" /> : null}
    <path className="pt-sign" d={SIGN[kind]} />
  </svg>
)

interface ChangeLineProps {
  readonly kind: MarkKind
  readonly words: string
  /** Its words before, or the block that it led to. */
  readonly was?: string | undefined
  readonly className?: string
}

/** An output or link, and what happened to it. */
export const ChangeLine = ({ kind, words, was, className }: ChangeLineProps) => {
  const { t } = useTranslation('history')
  return (
    <>
      <ChangeMark kind={kind} />
      <span className={className}>
        <span className="pl-said">{t(`flow.whole.${kind}`)} </span>
        {words}
        {was === undefined ? null : <small>{t('flow.was', { title: was })}</small>}
      </span>
    </>
  )
}

/** Counts of added, changed and removed; omits kinds without any. */
export const ChangeCounts = ({ counts, all = false }: { readonly counts: Counts; readonly all?: boolean }) => {
  const { t } = useTranslation('history')
  const shown = MARK_KINDS.filter(kind => all || counts[kind] > 0)
  return (
    <span className="pt-counts">
      {shown.map(kind => (
        <span key={kind} data-diff={kind}>
          <ChangeMark kind={kind} />
          <span aria-hidden="true">{counts[kind]}</span>
          <span className="pl-said">{t(`flow.count.${kind}`, { count: counts[kind] })}</span>
        </span>
      ))}
    </span>
  )
}

export const Legend = () => {
  const { t } = useTranslation('history')
  return (
    <ul className="pt-legend" aria-label={t('flow.legend')}>
      {MARK_KINDS.map(kind => (
        <li key={kind}>
          <ChangeMark kind={kind} />
          {t(`flow.whole.${kind}`)}
        </li>
      ))}
    </ul>
  )
}
