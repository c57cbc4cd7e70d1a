import { chakra } from '@chakra-ui/react'
import { wordDiff } from '#domain/flow/diff/word-diff.ts'

interface DiffWordsProps {
  readonly expected: string
  readonly came: string
  readonly side: 'expected' | 'came'
}

/** One side of two texts, with the words that the other one lacks in its colour. */
export const DiffWords = ({ expected, came, side }: DiffWordsProps) =>
  wordDiff(expected, came).map(({ kind, text }, place) => {
    const key = `${place}${kind}`
    if (kind === 'same') return <span key={key}>{text}</span>
    if (kind === 'removed')
      return side === 'came' ? null : (
        <chakra.del key={key} bg="diff.removed.muted" color="diff.removed.fg" fontWeight="semibold">
          {text}
        </chakra.del>
      )
    return side === 'expected' ? null : (
      <chakra.ins key={key} bg="diff.added.muted" color="diff.added.fg" fontWeight="semibold" textDecoration="none">
        {text}
      </chakra.ins>
    )
  })
