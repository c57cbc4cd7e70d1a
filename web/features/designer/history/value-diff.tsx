import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type WordPart, wordDiff } from '#domain/flow/diff/word-diff.ts'
import type { DiffTexts } from './diff-texts.ts'

interface Props {
  readonly parts: readonly WordPart[]
  /** One side only: `after` omits removed words, `before` added ones. */
  readonly side?: 'before' | 'after'
}

/** Words that differ: struck where they went, marked where they came. Read out as deletions and insertions. */
export const InlineTextDiff = ({ parts, side }: Props) =>
  parts.map(({ kind, text }, index) => {
    const key = `${index}${kind}`
    if (kind === 'same') return <span key={key}>{text}</span>
    if (kind === 'removed') {
      return side === 'after' ? null : (
        <del key={key} className="pt-del">
          {text}
        </del>
      )
    }
    return side === 'before' ? null : (
      <ins key={key} className="pt-ins">
        {text}
      </ins>
    )
  })

/** Lines before the first change beyond which they are folded. */
const LEAD = 2

const leadingLines = (parts: readonly WordPart[]): number => {
  const [first] = parts
  return first?.kind === 'same' && parts.length > 1 ? first.text.split('\n').length - 1 : 0
}

const withoutLead = (parts: readonly WordPart[]): readonly WordPart[] => {
  const [first, ...rest] = parts
  return first === undefined ? [] : [{ kind: 'same', text: first.text.split('\n').at(-1) ?? '' }, ...rest]
}

const Side = ({
  parts,
  side,
  code,
}: {
  readonly parts: readonly WordPart[]
  readonly side: 'before' | 'after'
  readonly code: boolean
}) => {
  const { t } = useTranslation('history')
  const empty = parts.every(({ kind }) => kind === (side === 'before' ? 'added' : 'removed'))
  return (
    <div className="pt-side" data-side={side} data-code={code || undefined}>
      <small>{t(`flow.${side}`)}</small>
      {empty ? <em>{t('flow.nothing')}</em> : <p>{<InlineTextDiff parts={parts} side={side} />}</p>}
    </div>
  )
}

/** A value before and after: in one line if both are short, else stacked. */
export const ValueDiff = ({ value }: { readonly value: DiffTexts }) => {
  const { t } = useTranslation('history')
  const [whole, setWhole] = useState(false)
  const parts = useMemo(() => wordDiff(value.before, value.after), [value.before, value.after])
  if (value.short) {
    return (
      <p className="pt-inline">
        {value.before === '' ? <em>{t('flow.nothing')}</em> : <del className="pt-del">{value.before}</del>}
        <span aria-hidden="true">→</span>
        {value.after === '' ? <em>{t('flow.nothing')}</em> : <ins className="pt-ins">{value.after}</ins>}
      </p>
    )
  }
  const same = leadingLines(parts)
  const folded = same > LEAD && !whole
  const shown = folded ? withoutLead(parts) : parts
  return (
    <>
      <div className="pt-sides">
        <Side parts={shown} side="before" code={value.code} />
        <Side parts={shown} side="after" code={value.code} />
      </div>
      {folded ? (
        <p className="pt-folded">
          {t('flow.sameAbove', { count: same })} ·{' '}
          <button type="button" onClick={() => setWhole(true)}>
            {t('flow.showAll')}
          </button>
        </p>
      ) : null}
    </>
  )
}
