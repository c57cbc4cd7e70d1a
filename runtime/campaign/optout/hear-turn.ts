import { openPhones } from '#domain/audience/phone.ts'
import type { WaitingBot } from '#domain/campaign/opt-out.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FoldedConversation, Pending } from '../../conversation/engine/folded-conversation.ts'
import { pressedAction } from '../../conversation/engine/turn-input.ts'
import type { KnownPerson } from '../audience/person-digests.ts'
import type { OptOuts } from './opt-outs.ts'

/** Ids of people on WhatsApp: digits, with a prefix or a host at some providers. */
const WHATSAPP_NUMBER = /^(?:whatsapp:)?\+?(\d{7,15})(?:@wa\.gw\.msging\.net)?$/u
/** Meta's id of a person for one business. */
const SCOPED = /^[A-Z]{2}\.[\w.-]{1,128}$/u

const textAt = (object: JsonObject | undefined, name: string): string => {
  const value = object?.[name]
  return typeof value === 'string' ? value : ''
}

/** The number and the ids of the person of a conversation, as far as its channel and user data tell. */
const personOf = async ({
  channel,
  channelType,
  user,
  state,
}: Pick<FoldedConversation, 'channel' | 'channelType' | 'user' | 'state'>): Promise<KnownPerson> => {
  const on = { channel, user: user.id }
  const [, number] = WHATSAPP_NUMBER.exec(user.id) ?? []
  if (number !== undefined && (channelType.startsWith('whatsapp') || user.id.includes('@wa.gw.')))
    return { on, phone: number }
  if (channelType.startsWith('whatsapp') && SCOPED.test(user.id)) return { on, scoped: user.id }
  const given = textAt(state.userdata, 'phone') || textAt(user.data, 'phone')
  if (given === '') return { on }
  const reading = (await openPhones())(given)
  return reading.ok ? { on, phone: reading.phone.e164 } : { on }
}

/** Options of the question that waits. */
const waitingBot = ({ state }: FoldedConversation): WaitingBot => {
  const wait = state.status === 'waiting' ? state.frames.at(-1)?.wait : undefined
  const offered = (wait?.offered ?? []).flatMap(({ title, value }) => [title, value])
  return { offered, askedAt: wait?.since }
}

export interface HeardTurn {
  /** False: the flow does not get the message. */
  readonly toBot: boolean
  readonly reply: string | undefined
}

/** Hears the input of a turn as a possible opt-out; undefined where it is none. */
export const hearTurn = async (
  optOuts: Pick<OptOuts, 'hear'>,
  held: FoldedConversation,
  { from, time }: Pending,
  level: string | null,
): Promise<HeardTurn | undefined> => {
  if (from.kind !== 'message' || from.masked) return undefined
  const { sent } = from
  if (sent.type !== 'text' && sent.type !== 'choice') return undefined
  const pressed = sent.type === 'choice' ? pressedAction(held, sent) : undefined
  const said = [sent.text ?? '', ...(pressed === undefined ? [] : [pressed.title, pressed.value])].filter(Boolean)
  if (said.length === 0 || held.user.id === '') return undefined
  const person = await personOf(held)
  const outcome = await optOuts.hear({ level, person, said, context: '', time, bot: waitingBot(held) })
  if (outcome.kind === 'none') return undefined
  return { toBot: outcome.toBot, reply: outcome.reply(held.locale) }
}
