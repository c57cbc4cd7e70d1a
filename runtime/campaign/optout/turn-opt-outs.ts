import { openPhones } from '#domain/audience/phone.ts'
import type { WaitingBot } from '#domain/campaign/opt-out.ts'
import { textOf } from '#schemas/json.ts'
import type { FoldedConversation, Pending } from '../../conversation/engine/folded-conversation.ts'
import { pressedAction } from '../../conversation/engine/turn-input.ts'
import type { SentMessage } from '../../port.ts'
import type { PersonIdentifiers } from '../audience/person-digests.ts'
import { identifyPerson } from './identify-person.ts'
import type { OptOutCandidate, OptOuts } from './opt-outs.ts'

/** The number and the ids of the person of a conversation, as far as its channel and user data tell. */
const personOf = async ({
  channel,
  channelType,
  user,
  state,
}: Pick<FoldedConversation, 'channel' | 'channelType' | 'user' | 'state'>): Promise<PersonIdentifiers> => {
  const person = identifyPerson({ type: channelType, channel, user })
  if (person.phone !== undefined || person.scoped !== undefined) return person
  const given = textOf(state.userdata.phone) || textOf(user.data?.phone)
  if (given === '') return person
  const reading = (await openPhones())(given)
  return reading.ok ? { ...person, phone: reading.phone.e164 } : person
}

/** Options of the question that waits. */
const waitingBot = ({ state }: FoldedConversation): WaitingBot => {
  const wait = state.status === 'waiting' ? state.frames.at(-1)?.wait : undefined
  const offered = (wait?.offered ?? []).flatMap(({ title, value }) => [title, value])
  return { offered, askedAt: wait?.since }
}

/** Words of a message, or title and payloads of the button that was pressed. */
const wordsOf = (held: FoldedConversation, sent: SentMessage): readonly string[] => {
  if (sent.type !== 'text' && sent.type !== 'choice') return []
  const pressed = sent.type === 'choice' ? pressedAction(held, sent) : undefined
  const said = [sent.text, sent.payload, pressed?.title, pressed === undefined ? sent.value : pressed.value]
  return said.flatMap(words => (words === undefined || words === '' ? [] : [words]))
}

const heardOf = async (
  held: FoldedConversation,
  sent: SentMessage,
  time: number,
  level: string | null,
): Promise<OptOutCandidate | undefined> => {
  const said = wordsOf(held, sent)
  if (said.length === 0 || held.user.id === '') return undefined
  const person = await personOf(held)
  const via = { channel: held.channel, bot: held.bot }
  return { level, person, said, context: sent.replyTo ?? '', time, bot: waitingBot(held), via }
}

export interface TurnOptOut {
  /** False: the flow does not get the message. */
  readonly toBot: boolean
  readonly reply: string | undefined
}

/** Hears the input of a turn as a possible opt-out; undefined where it is none. */
export const detectTurnOptOut = async (
  optOuts: Pick<OptOuts, 'hear'>,
  held: FoldedConversation,
  { from, time }: Pending,
  level: string | null,
): Promise<TurnOptOut | undefined> => {
  const heard = from.kind === 'message' ? await heardOf(held, from.sent, time, level) : undefined
  if (heard === undefined) return undefined
  const outcome = await optOuts.hear(heard)
  if (outcome.kind === 'none') return undefined
  return { toBot: outcome.toBot, reply: outcome.reply(held.locale) }
}

/**
 * The message that takes the place of a press that comes too late for its question, if it stops campaigns; undefined
 * for other presses. Its turn hears it.
 */
export const lateOptOut = async (
  optOuts: Pick<OptOuts, 'decide'>,
  held: FoldedConversation,
  sent: SentMessage,
  level: string | null,
): Promise<SentMessage | undefined> => {
  const heard = await heardOf(held, sent, Date.now(), level)
  if (heard === undefined || (await optOuts.decide(heard)).decision.kind !== 'stop') return undefined
  const pressed = pressedAction(held, sent)
  const { of: _of, value, ...rest } = sent
  const text = pressed?.title ?? sent.text ?? value ?? ''
  const payload = sent.payload ?? (pressed === undefined ? value : pressed.value)
  return { ...rest, type: 'text', text, ...(payload === undefined ? {} : { payload }) }
}
