import { openPhones } from '#domain/audience/phone.ts'
import { optOutOf } from '#domain/campaign/delivery.ts'
import type { WaitingBot } from '#domain/campaign/opt-out.ts'
import { channelType, isWhatsapp } from '#schemas/channel-type.ts'
import { textOf } from '#schemas/json.ts'
import type { ProviderContent } from '../../channel/channel-port.ts'
import type { EventRoute, Heard, InboxFollower, PersonEvent, RefusedSend } from '../../channel/exchange/inbox.ts'
import type { FoldedConversation, Pending } from '../../conversation/engine/folded-conversation.ts'
import { pressedAction } from '../../conversation/engine/run-turn.ts'
import type { SentMessage } from '../../port.ts'
import type { PersonIdentifiers } from '../audience/audience.ts'
import { identifyPerson, type OptOutCandidate, type OptOuts } from './opt-outs.ts'

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

/** People with this country code get replies in Portuguese. */
const BRAZIL = '55'
/** Outcome of a message that a bot took: its turn hears opt-outs. */
const TAKEN = 'stored'

/** Meta's code of a send to a person who opted out there; other providers of WhatsApp pass it on. */
const META_CODE = '131050'
/** Gupshup's event of a person who opted out there. */
const GUPSHUP_OPTED_OUT = 'user-event.opted-out'

/** Whether a provider refused a send because the person opted out. */
const isOptOutCode = (type: string, code: string): boolean =>
  isWhatsapp(type) && (code === META_CODE || code === channelType(type)?.optOutCode)

/** Words that a person wrote, or the payload and label of a button. */
const wordsOfContent = (content: ProviderContent, payload = ''): readonly string[] => {
  if (content.kind === 'text') return [content.text, payload]
  return content.kind === 'choice' ? [content.value, content.title, payload] : []
}

const viaOf = ({ channel, account }: EventRoute): OptOutCandidate['via'] => ({
  ...(channel === undefined ? {} : { channel: channel.id, bot: channel.bot }),
  ...(account === undefined ? {} : { account }),
})

interface HearingParts {
  readonly optOuts: Pick<OptOuts, 'hear' | 'prefer'>
  /** Level of the bot of a channel, else of an account. */
  readonly levelOf: (route: EventRoute) => Promise<string | null>
  /** A bot that runs has the channel: its turn hears opt-outs, with the question that waits. */
  readonly isHeardByBot: (route: EventRoute) => Promise<boolean>
  /** Sends a reply from an account. Never throws. */
  readonly answer: (account: string, to: string, text: string) => void
  readonly now: () => number
}

/** Handles opt-outs in the inbox that no bot turn handles, and those reported by providers. */
export const optOutFollower = ({ optOuts, levelOf, isHeardByBot, answer, now }: HearingParts): InboxFollower => {
  const hear = async ({ route, event }: Heard<PersonEvent>): Promise<void> => {
    const { from, content, payload, replyTo: context = '' } = event
    const said = wordsOfContent(content, payload).filter(words => words !== '')
    if (said.length === 0) return
    const person = identifyPerson({ type: route.family, channel: route.channel?.id ?? '', user: from })
    const time = event.time || now()
    const level = await levelOf(route)
    const outcome = await optOuts.hear({ level, person, said, context, time, bot: undefined, via: viaOf(route) })
    const text = outcome.reply(person.phone?.startsWith(BRAZIL) ? 'pt' : '')
    if (text !== undefined && person.phone !== undefined && route.account !== undefined)
      answer(route.account, person.phone, text)
  }
  return {
    name: 'optout',
    hearsUntaken: true,
    async message(heard) {
      const isTaken = heard.outcome === undefined ? await isHeardByBot(heard.route) : heard.outcome === TAKEN
      if (!isTaken) await hear(heard)
      return undefined
    },
    async news({ route, event: { name, data } }) {
      const level = () =>
        levelOf(route.account === undefined ? route : { ...route, level: undefined, channel: undefined })
      if (name === 'user_preferences')
        for (const { phone, scoped, value } of optOutOf(data))
          await optOuts.prefer(await level(), { phone, scoped }, value, 'meta', 'preference', route.account)
      const user = { id: typeof data.phone === 'string' ? data.phone : '' }
      if (name === GUPSHUP_OPTED_OUT && user.id !== '') {
        const person = identifyPerson({ type: route.family, channel: route.channel?.id ?? '', user })
        await optOuts.prefer(await level(), person, 'stop', 'provider', 'opted-out')
      }
    },
    async refused({ channel, user, code }: RefusedSend) {
      if (!isOptOutCode(channel.type, code)) return
      const person = identifyPerson({ type: channel.type, channel: channel.id, user })
      const source = code === META_CODE ? 'meta' : 'provider'
      const level = await levelOf({ family: channel.type, to: '', channel })
      await optOuts.prefer(level, person, 'stop', source, code)
    },
  }
}
