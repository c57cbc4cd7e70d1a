import type { FlowHit } from '#schemas/api/flow-text.ts'

type Hit = Pick<FlowHit, 'block' | 'path' | 'at' | 'offset' | 'text'>

/** Replaced hits per flow. */
export interface ReplacedFlow {
  readonly id: string
  readonly hits: readonly Hit[]
}

type Place = Pick<Hit, 'block' | 'path' | 'at' | 'offset'>

/** A replacement as the server takes it. */
export interface Replacement {
  readonly text: string
  readonly by: string
  readonly exact: true
  readonly word: false
  readonly flows: readonly { readonly id: string; readonly hits: readonly Place[] }[]
}

/** Characters that a search can look for. */
const MAX_QUERY_LENGTH = 500

const textKey = ({ block, path, at }: Hit) => JSON.stringify([block, path, at ?? null])

/** Current offsets of one text's hits: those with an original in `back` are restored, the others read `by`. */
const movedIn = (hits: readonly Hit[], by: string, back: ReadonlySet<string>): Hit[] => {
  let shift = 0
  return [...hits]
    .sort((one, other) => one.offset - other.offset)
    .map(hit => {
      const moved = { ...hit, offset: hit.offset + shift }
      if (!back.has(hit.text)) shift += by.length - hit.text.length
      return moved
    })
}

/** A hit, as it is named to the server. */
export const placeOf = ({ block, path, at, offset }: Hit): Place => ({
  block,
  path,
  offset,
  ...(at === undefined ? {} : { at }),
})

/**
 * The replacements that undo one, in order: one for each original spelling. Each skips places that changed since.
 * Undefined if the replacement text cannot be searched.
 */
export const undoReplacement = (flows: readonly ReplacedFlow[], by: string): readonly Replacement[] | undefined => {
  if (by === '' || by.length > MAX_QUERY_LENGTH) return
  const originals = [...new Set(flows.flatMap(({ hits }) => hits.map(({ text }) => text)))]
  return originals.map((original, turn) => {
    const back = new Set(originals.slice(0, turn))
    const placesOf = ({ id, hits }: ReplacedFlow) => ({
      id,
      hits: [...Map.groupBy(hits, textKey).values()]
        .flatMap(own => movedIn(own, by, back))
        .filter(({ text }) => text === original)
        .map(placeOf),
    })
    return {
      text: by,
      by: original,
      exact: true,
      word: false,
      flows: flows.map(placesOf).filter(({ hits }) => hits.length > 0),
    }
  })
}
