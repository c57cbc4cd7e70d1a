import type { WordPart } from '#domain/flow/diff/word-diff.ts'

interface Props {
  readonly parts: readonly WordPart[]
  /** One side only: `after` omits removed words, `before` added ones. */
  readonly side?: 'before' | 'after'
}

/** Words that differ: struck where they went, marked where they came. Read out as deletions and insertions. */
export const WordText = ({ parts, side }: Props) =>
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
