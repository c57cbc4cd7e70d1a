/** Labels of a tagger over n entities: 0 is outside, 2e + 1 begins entity e, 2e + 2 continues it (BIO). */
export const beginLabel = (entity: number): number => 2 * entity + 1
export const entityOfLabel = (label: number): number => (label - 1) >> 1
export const isInsideLabel = (label: number): boolean => label > 0 && label % 2 === 0

/** Memory of a decoder; grows with the longest text. */
export interface DecoderScratch {
  /** tokens × labels: feature scores. */
  emissions: Float64Array
  forward: Float64Array
  backward: Float64Array
  back: Int32Array
  path: Int32Array
}

export const createDecoderScratch = (): DecoderScratch => ({
  emissions: new Float64Array(0),
  forward: new Float64Array(0),
  backward: new Float64Array(0),
  back: new Int32Array(0),
  path: new Int32Array(0),
})

export const fitDecoder = (scratch: DecoderScratch, tokens: number, labels: number): void => {
  const size = tokens * labels
  if (scratch.emissions.length < size) {
    scratch.emissions = new Float64Array(size * 2)
    scratch.forward = new Float64Array(size * 2)
    scratch.backward = new Float64Array(size * 2)
    scratch.back = new Int32Array(size * 2)
  }
  if (scratch.path.length < tokens) scratch.path = new Int32Array(tokens * 2)
}

const IMPOSSIBLE = -1e9

/** Scores of steps from one label to the next. */
export interface Moves {
  /** labels × labels, the earlier label first. */
  readonly weights: Float32Array
  /** None is above. */
  readonly highest: number
}

export const movesOf = (weights: Float32Array): Moves => ({
  weights,
  highest: weights.reduce((highest, weight) => Math.max(highest, weight), Number.NEGATIVE_INFINITY),
})

/** Every label but those inside of an entity is reached with at least this score, from the best label before. */
const leastReached = (forward: Float64Array, weights: Float32Array, before: number, labels: number): number => {
  let top = 0
  for (let from = 1; from < labels; from++)
    if ((forward[before + from] as number) > (forward[before + top] as number)) top = from
  let lowest = weights[top * labels] as number
  for (let to = 1; to < labels; to += 2) lowest = Math.min(lowest, weights[top * labels + to] as number)
  return (forward[before + top] as number) + lowest
}

/** Writes the best labels to `scratch.path` (Viterbi). An entity continues only after its start. */
export const decode = (scratch: DecoderScratch, moves: Moves, tokens: number, labels: number): void => {
  const { emissions, forward, back, path } = scratch
  const { weights, highest } = moves
  for (let label = 0; label < labels; label++)
    forward[label] = isInsideLabel(label) ? IMPOSSIBLE : (emissions[label] as number)
  for (let token = 1; token < tokens; token++) {
    const row = token * labels
    const before = row - labels
    forward.fill(IMPOSSIBLE * 2, row, row + labels)
    back.fill(0, row, row + labels)
    const least = leastReached(forward, weights, before, labels)
    for (let from = 0; from < labels; from++) {
      const reached = forward[before + from] as number
      if (reached + highest < least) continue
      // No entity, and the beginning of each.
      for (let to = 0; to < labels; to = to === 0 ? 1 : to + 2) {
        const score = reached + (weights[from * labels + to] as number)
        if (score <= (forward[row + to] as number)) continue
        forward[row + to] = score
        back[row + to] = from
      }
    }
    for (let to = 2; to < labels; to += 2) {
      const begun = (forward[before + to - 1] as number) + (weights[(to - 1) * labels + to] as number)
      const gone = (forward[before + to] as number) + (weights[to * labels + to] as number)
      forward[row + to] = Math.max(begun, gone)
      back[row + to] = begun >= gone ? to - 1 : to
    }
    for (let to = 0; to < labels; to++)
      forward[row + to] = (forward[row + to] as number) + (emissions[row + to] as number)
  }
  let label = 0
  const last = (tokens - 1) * labels
  for (let each = 1; each < labels; each++)
    if ((forward[last + each] as number) > (forward[last + label] as number)) label = each
  for (let token = tokens - 1; token >= 0; token--) {
    path[token] = label
    label = back[token * labels + label] as number
  }
}

/** The best score of what follows each label, for `marginAt`; after `decode`. */
export const decodeBackward = (
  scratch: DecoderScratch,
  { weights: moves }: Moves,
  tokens: number,
  labels: number,
): void => {
  const { emissions, backward } = scratch
  backward.fill(0, (tokens - 1) * labels, tokens * labels)
  for (let token = tokens - 2; token >= 0; token--) {
    const row = token * labels
    const after = row + labels
    for (let from = 0; from < labels; from++) {
      const move = from * labels
      let best = (backward[after] as number) + (emissions[after] as number) + (moves[move] as number)
      // Entities begin after any label, and continue after their own.
      for (let to = 1; to < labels; to += 2) {
        const score =
          (backward[after + to] as number) + (emissions[after + to] as number) + (moves[move + to] as number)
        if (score > best) best = score
      }
      if (from > 0) {
        const to = isInsideLabel(from) ? from : from + 1
        const score =
          (backward[after + to] as number) + (emissions[after + to] as number) + (moves[move + to] as number)
        if (score > best) best = score
      }
      backward[row + from] = best
    }
  }
}

/** Score margin of the best sequence over the best one with another label at a token. */
export const marginAt = ({ forward, backward, path }: DecoderScratch, token: number, labels: number): number => {
  const row = token * labels
  const own = path[token] as number
  let other = IMPOSSIBLE * 2
  for (let label = 0; label < labels; label++)
    if (label !== own) other = Math.max(other, (forward[row + label] as number) + (backward[row + label] as number))
  return (forward[row + own] as number) + (backward[row + own] as number) - other
}
