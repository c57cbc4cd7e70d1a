import type { Place } from '#domain/expression/engine.ts'
import { folded } from '#schemas/fold-text.ts'

export interface TextPattern {
  readonly text: string
  /** Capitals and accents count. */
  readonly isExact: boolean
  readonly isWholeWord: boolean
}

interface Folded {
  readonly text: string
  /** Source offset of each unit of `text`, and the end of the source. */
  readonly offsets: readonly number[]
}

const fold = (source: string): Folded => {
  const offsets: number[] = []
  let text = ''
  let at = 0
  for (const character of source) {
    const units = character < '\u0080' ? character.toLowerCase() : folded(character)
    for (let unit = 0; unit < units.length; unit += 1) offsets.push(at)
    text += units
    at += character.length
  }
  offsets.push(at)
  return { text, offsets }
}

const asItIs = (source: string): Folded => ({ text: source, offsets: [] })

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character)

const isApart = (source: string, { offset, length }: Place): boolean =>
  !isWord([...source.slice(Math.max(0, offset - 2), offset)].at(-1)) &&
  !isWord([...source.slice(offset + length, offset + length + 2)][0])

/** Finds a text in a source place by place: a large source has as many places as characters. */
export type Finder = (source: string) => Iterable<Place>

/** Finds a text in texts, by the same rules each time: from the left, without overlaps. */
export const finderOf = ({ text, isExact, isWholeWord }: TextPattern): Finder => {
  const prepare = isExact ? asItIs : fold
  const wanted = prepare(text).text
  return function* (source) {
    if (wanted === '') return
    const folded = prepare(source)
    const placeAt = (index: number): Place => {
      const offset = folded.offsets[index] ?? index
      const end = folded.offsets[index + wanted.length] ?? index + wanted.length
      return { offset, length: end - offset }
    }
    for (let at = folded.text.indexOf(wanted); at >= 0; ) {
      const place = placeAt(at)
      const isFound = !isWholeWord || isApart(source, place)
      if (isFound) yield place
      at = folded.text.indexOf(wanted, at + (isFound ? wanted.length : 1))
    }
  }
}
