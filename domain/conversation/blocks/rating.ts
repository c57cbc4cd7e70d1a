import { textAt } from '#schemas/json.ts'
import type { RatingOf } from '#schemas/rating.ts'
import type { Steps } from '../effect.ts'
import { evaluateWords, richText } from '../evaluate.ts'
import { waitFrom } from '../question.ts'
import {
  askComment,
  askScore,
  isOpenAt,
  keepScore,
  OPEN_MS,
  readComment,
  readScore,
  scaleOf,
  subjectOf,
  whyUnrated,
} from '../rating.ts'
import type { CompiledBlock } from '../release.ts'
import type { Wait } from '../state.ts'
import { type BlockRuntime, leave, type Move, type Turn } from '../turn.ts'
import { assignVariable } from '../variables.ts'

const UNRATED: Move = { kind: 'leave', out: 'output_giveup', unanswered: 'skipped' }

const ratingOf = (turn: Turn, block: CompiledBlock, rating: number): RatingOf => {
  const about = subjectOf(block)
  const { n } = turn.state.agent
  return { rating, about, scale: scaleOf(block), ...(about === 'agent' && typeof n === 'number' ? { n } : {}) }
}

/** Waits without a reminder, and at least as long as a score is taken. */
const waitForRating = (turn: Turn, block: CompiledBlock, wait: Parameters<typeof waitFrom>[2]): Move => {
  const { remindAt: _, endAt, ...quiet } = waitFrom(turn, block, wait)
  const ends = endAt === undefined ? {} : { endAt: Math.max(endAt, turn.now + OPEN_MS) }
  return { kind: 'wait', wait: { ...quiet, ...ends } }
}

const store = (turn: Turn, { properties }: CompiledBlock, score: number): void => {
  const name = textAt(properties, 'varname')
  if (name !== '') assignVariable(turn, name, score)
}

/** Leaves a chat with an agent that is not rated now; one that was rated already keeps its score. */
const leaveUnrated = (turn: Turn, block: CompiledBlock): Move | undefined => {
  const why = subjectOf(block) === 'agent' ? whyUnrated(turn.state) : undefined
  if (why === undefined) return undefined
  const { n, score } = turn.state.agent
  turn.ratings.push({ kind: 'skipped', about: 'agent', why, ...(typeof n === 'number' ? { n } : {}) })
  if (typeof score !== 'number') return UNRATED
  store(turn, block, score)
  return leave()
}

function* takeScore(turn: Turn, block: CompiledBlock, wait: Wait, score: number): Steps<Move> {
  const of = ratingOf(turn, block, wait.rating?.id ?? 0)
  store(turn, block, score)
  keepScore(turn, of, score)
  const [text = ''] = yield* evaluateWords(turn, [richText('comment', block.properties.comment)])
  if (text.trim() === '') return leave()
  return waitForRating(turn, block, {
    kind: 'comment',
    offered: askComment(turn, text),
    rating: { id: of.rating, score },
  })
}

const end = (wait: Wait): Move => (wait.kind === 'comment' ? leave() : UNRATED)

/** Asks for a score, and then perhaps why. The first message that is no score ends it and is an ordinary input. */
export const rating: BlockRuntime = {
  *run(turn, block) {
    const unrated = leaveUnrated(turn, block)
    if (unrated !== undefined) return unrated
    const [text = ''] = yield* evaluateWords(turn, [richText('text', block.properties.text)])
    const of = ratingOf(turn, block, turn.state.messages + 1)
    const offered = askScore(turn, of, text)
    return waitForRating(turn, block, { kind: 'rating', offered, rating: { id: of.rating } })
  },

  read(turn, block, wait, input) {
    if (!isOpenAt(wait.since, turn.now)) return { kind: 'passed' }
    if (wait.kind === 'comment') {
      const comment = readComment(input)
      if (comment === undefined) return { kind: 'passed' }
      return comment === null ? { kind: 'skipped' } : { kind: 'valid', value: comment }
    }
    const score = readScore(scaleOf(block), wait.offered, input)
    return score === undefined ? { kind: 'passed' } : { kind: 'valid', value: score }
  },

  *take(turn, block, wait, reading) {
    if (reading.kind !== 'valid') return end(wait)
    if (typeof reading.value === 'number' && wait.kind === 'rating')
      return yield* takeScore(turn, block, wait, reading.value)
    const { id, score } = wait.rating ?? {}
    if (id !== undefined && score !== undefined && typeof reading.value === 'string')
      keepScore(turn, ratingOf(turn, block, id), score, reading.value)
    return leave()
  },

  // Something else began meanwhile: nobody is asked twice.
  again: (_turn, _block, wait) => end(wait),
}
