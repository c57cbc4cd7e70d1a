import {
  isRatingScale,
  RATING_SCORES,
  RATING_SUBJECTS,
  type RatingOf,
  type RatingScale,
  type RatingSkip,
  type RatingSubject,
} from '#schemas/rating.ts'
import { lineOf } from './answer/answer-result.ts'
import { nearest } from './answer/choice-answer.ts'
import type { AnswerPrompt, TurnInput } from './message.ts'
import type { CompiledBlock } from './release.ts'
import type { ConversationState, OfferedAction } from './state.ts'
import { messageText, sayText, type Turn } from './turn.ts'

/** ms during which a score is taken. */
export const OPEN_MS = 24 * 3_600_000
/** Characters of a comment that are kept. */
const MAX_COMMENT = 2000

export const scaleOf = ({ properties }: CompiledBlock): RatingScale =>
  isRatingScale(properties.scale) ? properties.scale : '5'

export const subjectOf = ({ properties }: CompiledBlock): RatingSubject =>
  RATING_SUBJECTS.find(subject => subject === properties.about) ?? 'agent'

const offeredFor = (turn: Turn, scale: RatingScale): readonly OfferedAction[] =>
  RATING_SCORES[scale].map((score, place) => ({
    id: String(place + 1),
    type: 'reply',
    title: scale === 'nps' ? String(score) : messageText(turn, `rating.${scale}.${score}`),
    value: String(score),
  }))

const asksFor = (kind: 'rating' | 'comment'): AnswerPrompt => ({
  kind,
  list: 'button',
  mask: false,
  skip: kind === 'comment',
  unit: '',
  calendar: '',
})

/** Asks for a score; an empty text is the usual question. Returns the offered scores. */
export const askScore = (turn: Turn, of: RatingOf, text: string): readonly OfferedAction[] => {
  const offered = offeredFor(turn, of.scale)
  const usual = of.scale === 'nps' ? `rating.ask.nps.${of.about}` : `rating.ask.${of.about}`
  sayText(turn, text.trim() === '' ? messageText(turn, usual) : text, { actions: offered, asks: asksFor('rating') })
  turn.ratings.push({ kind: 'asked', ...of })
  if (of.about === 'agent') turn.state = { ...turn.state, agent: { ...turn.state.agent, asked: true } }
  return offered
}

/** Asks why, with a button that leaves it out. */
export const askComment = (turn: Turn, text: string): readonly OfferedAction[] => {
  const offered: readonly OfferedAction[] = [
    { id: 'skip', type: 'skip', title: messageText(turn, 'prompt.skip'), value: '' },
  ]
  sayText(turn, text, { actions: offered, asks: asksFor('comment') })
  return offered
}

export const keepScore = (turn: Turn, of: RatingOf, score: number, comment?: string): void => {
  turn.ratings.push({ kind: 'rated', ...of, score, ...(comment === undefined ? {} : { comment }) })
  if (of.about === 'agent') turn.state = { ...turn.state, agent: { ...turn.state.agent, score } }
}

export const isOpenAt = (since: number, now: number): boolean => now - since <= OPEN_MS

/** `4`, `4.`, `nota 4`, `4/5`, `10/10` */
const NUMBER = /^(?:(?:nota|note|score) )?(\d{1,2})(?: ?\/ ?(\d{1,2}))?[.!)]?$/iu
const STARS = /^(?:[⭐★🌟]\uFE0F?){1,5}$/u
const SKIN = /[\u{1F3FB}-\u{1F3FF}\uFE0F]/gu

const typedScore = (scale: RatingScale, said: string, offered: readonly OfferedAction[]): number | undefined => {
  const line = lineOf(said)
  const scores = RATING_SCORES[scale]
  const title = nearest(
    line,
    offered.map(each => each.title),
    false,
  )
  const named = offered.find(each => each.title === title)
  if (named !== undefined) return Number(named.value)
  if (scale === 'thumbs') {
    const thumb = line.replaceAll(SKIN, '')
    // Channels without buttons number the two thumbs 1 and 2.
    if (thumb === '👍' || line === '1') return 1
    return thumb === '👎' || line === '2' || line === '0' ? 0 : undefined
  }
  if (scale !== 'nps' && STARS.test(line)) {
    const stars = [...line.replaceAll('\uFE0F', '')].length
    return scores.includes(stars) ? stars : undefined
  }
  const [, number, most] = NUMBER.exec(line) ?? []
  if (number === undefined || (most !== undefined && Number(most) !== scores.at(-1))) return undefined
  return scores.includes(Number(number)) ? Number(number) : undefined
}

/** The score of an input; undefined: it is none. */
export const readScore = (
  scale: RatingScale,
  offered: readonly OfferedAction[],
  input: TurnInput,
): number | undefined => {
  if (input.kind === 'choice') {
    const pressed = offered.find(({ id, value }) => id === input.action.id && value === input.action.value)
    return pressed === undefined ? undefined : Number(pressed.value)
  }
  return input.kind === 'text' ? typedScore(scale, input.text, offered) : undefined
}

/** A comment; null for a person who leaves it out, undefined for an input that is none. */
export const readComment = (input: TurnInput): string | null | undefined => {
  if (input.kind === 'choice') return input.action.type === 'skip' ? null : undefined
  if (input.kind !== 'text' || input.text.trim() === '') return undefined
  return input.text.trim().slice(0, MAX_COMMENT).toWellFormed()
}

/** Endings of a chat after which nobody is asked. */
const UNRATED: ReadonlySet<unknown> = new Set(['timeout', 'user', 'cleared', 'error', 'unavailable', 'requested'])

/** Why the last chat with an agent is not rated now; undefined: it is. */
export const whyUnrated = ({ agent }: Pick<ConversationState, 'agent'>): RatingSkip | undefined => {
  if (agent.asked === true) return 'rated'
  if (agent.status === 'user') return 'user'
  return UNRATED.has(agent.status) || typeof agent.wait !== 'number' ? 'silent' : undefined
}
