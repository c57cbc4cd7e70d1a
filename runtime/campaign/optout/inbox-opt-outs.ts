import { optOutOf } from '#domain/campaign/delivery.ts'
import { channelType, isWhatsapp } from '#schemas/channel-type.ts'
import type { ProviderContent } from '../../channel/channel-port.ts'
import type { EventRoute, Heard, InboxFollower, PersonEvent, RefusedSend } from '../../channel/exchange/followers.ts'
import { identifyPerson } from './identify-person.ts'
import type { OptOutCandidate, OptOuts } from './opt-outs.ts'

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
const wordsOf = (content: ProviderContent, payload = ''): readonly string[] => {
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
    const said = wordsOf(content, payload).filter(words => words !== '')
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
