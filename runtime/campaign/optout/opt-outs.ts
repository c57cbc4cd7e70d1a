import { openPhones } from '#domain/audience/phone.ts'
import { optOutOf } from '#domain/campaign/delivery.ts'
import {
  DEFAULT_OPT_OUT,
  decideOptOut,
  matchOptOut,
  type OptOutDecision,
  type OptOutSetting,
  optOutSetting,
  replyIn,
  type WaitingBot,
} from '#domain/campaign/opt-out.ts'
import type { ReadModels } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { channelType, isWhatsapp } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { OptOutOrigin } from '#schemas/events/campaign.ts'
import { textOf } from '#schemas/json.ts'
import type { ProviderContent } from '../../channel/channel-port.ts'
import type { EventRoute, Heard, InboxFollower, PersonEvent, RefusedSend } from '../../channel/exchange/inbox.ts'
import { levelChain } from '../../conversation/effect/turn-settings.ts'
import type { FoldedConversation, Pending } from '../../conversation/engine/folded-conversation.ts'
import { pressedAction } from '../../conversation/engine/run-turn.ts'
import type { RuntimeParts } from '../../parts.ts'
import type { SentMessage } from '../../port.ts'
import {
  EVERY_CATEGORY,
  EVERYWHERE,
  type PersonDigests,
  type PersonIdentifiers,
  SUPPRESSION_SOURCES,
  type SuppressionSource,
  shortDigest,
  storedDigests,
} from '../audience/audience.ts'
import type { SuppressionQueries } from '../audience/audience-queries.ts'
import type { StoredAudience } from '../audience/open-audience.ts'
import type { RunQueries } from '../run/run-queries.ts'

/** The list that takes opt-outs at a level, and the words that are heard there. */
interface OptOutList {
  readonly list: string
  readonly setting: OptOutSetting
}

/** Opt-out lists of levels. */
export interface OptOutLists {
  /** Those of the nearest level above, or of the level itself, that has a setting. */
  at(level: string | null): Promise<OptOutList>
  /** Lists that hold for a level: its own and those of all levels above. */
  over(level: string | null): Promise<readonly string[]>
  /** Lists that hold for a campaign that is sent from an account. */
  ofCampaign(campaign: string, metaaccount: string): Promise<readonly string[]>
}

export const openOptOutLists = (read: Pick<ReadModels, 'list' | 'detail' | 'levels'>): OptOutLists => {
  const chainOf = (level: string | null) => (level === null ? [] : levelChain(read as ReadModels, level))
  const over: OptOutLists['over'] = async level => [EVERYWHERE, ...(await chainOf(level))]
  return {
    over,
    async at(level) {
      const chain = await chainOf(level)
      const rows = await allRows(read, SYSTEM_SCOPE, 'optoutsetting')
      const nearest = chain.toReversed().find(id => rows.some(({ hierarchylevel }) => hierarchylevel === id))
      const settings = rows
        .filter(({ hierarchylevel }) => hierarchylevel === nearest)
        .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1))
        .map(row => optOutSetting(row))
      const [oldest] = settings
      if (nearest === undefined || oldest === undefined) return { list: EVERYWHERE, setting: DEFAULT_OPT_OUT }
      // A level with several settings hears the words of all of them.
      const setting = {
        ...oldest,
        words: settings.flatMap(({ words }) => words),
        buttons: settings.flatMap(({ buttons }) => buttons),
      }
      return { list: nearest === chain[0] ? EVERYWHERE : nearest, setting }
    },
    async ofCampaign(campaign, metaaccount) {
      const row = await read.detail(SYSTEM_SCOPE, 'campaign', campaign)
      // Opt-outs from before lists belonged to levels are in the list of the account.
      return [...(await over(row?.hierarchylevel ?? null)), metaaccount].filter(list => list !== '')
    },
  }
}

const CAMPAIGN_MS = 7 * 86_400_000
const REPLY_MS = 86_400_000
const MARKETING = 'marketing'
/** Sources that a start word lifts: those set by the person. */
const OWN_SOURCES: readonly SuppressionSource[] = ['word', 'button']
/** Sources that a person of the console lifts. */
export const BY_HAND: readonly SuppressionSource[] = SUPPRESSION_SOURCES

/** A message that may be an opt-out. */
interface OptOutCandidate {
  /** Level of the bot or the account that the message was written to. */
  readonly level: string | null
  readonly person: PersonIdentifiers
  /** Text, or payload and title of a button. */
  readonly said: readonly string[]
  /** The provider's id of the message that it answers; empty: none. */
  readonly context: string
  /** ms since 1970 */
  readonly time: number
  /** The bot that hears the message too; undefined where no bot answers. */
  readonly bot: WaitingBot | undefined
  /** Channel, bot or account that the message was written to. */
  readonly via: Pick<OptOutOrigin, 'channel' | 'bot' | 'account'>
}

/** A decision with all that applying it needs. */
interface DecidedOptOut extends OptOutList {
  readonly decision: OptOutDecision
  readonly person: PersonDigests
  readonly time: number
  readonly origin: OptOutOrigin
}

interface OptOutOutcome {
  readonly kind: OptOutDecision['kind']
  /** The bot gets the message. */
  readonly toBot: boolean
  /** Reply to the person, in their language; undefined: none. */
  readonly reply: (locale: string) => string | undefined
}

type OptOutAudience = Pick<StoredAudience, 'digestsOf' | 'suppress' | 'resume' | 'passed'> & {
  readonly index: Pick<StoredAudience['index'], 'digestsLike'> & {
    readonly suppressions: Pick<SuppressionQueries, 'isSuppressed' | 'sourcesOf' | 'historyOf'>
  }
}

interface OptOutParts {
  readonly lists: OptOutLists
  readonly audience: () => Promise<OptOutAudience>
  /** Undefined while nothing was ever sent. */
  readonly runs: () => Promise<Pick<RunQueries, 'lastSentTo' | 'addresseeOf' | 'lastCampaignTo'> | undefined>
  /** HMAC under the index key, as runs store ids of messages. */
  readonly hmac: (text: string) => string
}

const UNHEARD = { decision: { kind: 'none' }, person: storedDigests([]), origin: {} } as const
const NOTHING: OptOutOutcome = { kind: 'none', toBot: true, reply: () => undefined }

/** The words of a message that were matched; of a button its label rather than its payload. */
const wordOf = (said: readonly string[], setting: OptOutList['setting']): string => {
  const match = matchOptOut(said, setting)
  if (match === 'button') return said.find(text => !setting.buttons.includes(text)) ?? said[0] ?? ''
  return said.find(text => matchOptOut([text], setting) === match)?.trim() ?? ''
}

/** Hears opt-outs of every channel: `decide` says what a message means, `apply` stores it. */
export class OptOuts {
  readonly #parts: OptOutParts

  constructor(parts: OptOutParts) {
    this.#parts = parts
  }

  async decide(heard: OptOutCandidate): Promise<DecidedOptOut> {
    const { lists, hmac } = this.#parts
    const at = await lists.at(heard.level)
    // Other messages open neither audiences nor runs.
    if (matchOptOut(heard.said, at.setting) === undefined) return { ...at, ...UNHEARD, time: heard.time }
    const [audience, runs] = await Promise.all([this.#parts.audience(), this.#parts.runs()])
    const answered = heard.context === '' ? undefined : runs?.addresseeOf(hmac(`message ${heard.context}`))
    const person = storedDigests([
      ...audience.digestsOf(heard.person),
      // A reply may come without the number that the campaign wrote to.
      ...(answered === undefined ? [] : audience.index.digestsLike(answered.phone)),
    ])
    const own = audience.index.suppressions.sourcesOf({ lists: [at.list], category: MARKETING }, person)
    const decision = decideOptOut(
      {
        said: heard.said,
        answersCampaign: answered !== undefined,
        lastCampaign: runs?.lastSentTo(person, heard.time - CAMPAIGN_MS),
        isStopped: own.some(source => OWN_SOURCES.some(each => each === source)),
        bot: heard.bot,
      },
      at.setting,
    )
    const campaign =
      decision.kind === 'none'
        ? undefined
        : (answered?.campaign ?? runs?.lastCampaignTo(person, heard.time - CAMPAIGN_MS))
    const origin = {
      ...heard.via,
      ...(campaign === undefined ? {} : { campaign }),
      word: wordOf(heard.said, at.setting),
    }
    return { ...at, decision, person, time: heard.time, origin }
  }

  async apply({ decision, person, list, setting, time, origin }: DecidedOptOut): Promise<OptOutOutcome> {
    if (decision.kind === 'none' || person.length === 0) return NOTHING
    const audience = await this.#parts.audience()
    const { rule, toBot, kind } = decision
    if (kind === 'pass') {
      await audience.passed(list, person, rule)
      return { ...NOTHING, kind, toBot }
    }
    const isEarly = audience.index.suppressions
      .historyOf([list], person)
      .some(entry => entry.kind === kind && time - Date.parse(entry.time) < REPLY_MS)
    const source = rule === 'button' ? 'button' : 'word'
    const category = setting.scope === 'all' ? EVERY_CATEGORY : MARKETING
    const isChanged =
      kind === 'stop'
        ? await audience.suppress(list, person, { category, source, rule, origin })
        : await audience.resume(list, person, { category, source, rule, origin, lifts: OWN_SOURCES })
    const replies = kind === 'stop' ? setting.reply : setting.startReply
    const isAnswered = isChanged && !isEarly
    return { kind, toBot, reply: locale => (isAnswered ? replyIn(replies, locale) : undefined) }
  }

  async hear(heard: OptOutCandidate): Promise<OptOutOutcome> {
    return this.apply(await this.decide(heard))
  }

  /** Whether a person stopped messages of a category, by the lists that hold for a level. */
  async isStopped(level: string | null, known: PersonIdentifiers, category: string): Promise<boolean> {
    const [lists, audience] = await Promise.all([this.#parts.lists.over(level), this.#parts.audience()])
    return audience.index.suppressions.isSuppressed({ lists, category }, audience.digestsOf(known))
  }

  /** A preference that a person set at a provider, or a refusal of the provider because of it. */
  async prefer(
    level: string | null,
    known: PersonIdentifiers,
    value: 'stop' | 'resume',
    source: 'meta' | 'provider',
    rule: string,
    /** List of the account, which holds preferences from before lists belonged to levels. */
    account = '',
  ): Promise<void> {
    const [{ list }, audience] = await Promise.all([this.#parts.lists.at(level), this.#parts.audience()])
    const person = audience.digestsOf(known)
    if (person.length === 0) return
    if (value === 'stop') {
      const since = Date.now() - CAMPAIGN_MS
      const campaign = (await this.#parts.runs())?.lastCampaignTo(person, since)
      const origin = {
        ...(campaign === undefined ? {} : { campaign }),
        ...(known.on === undefined ? {} : { channel: known.on.channel }),
        ...(account === '' ? {} : { account }),
      }
      await audience.suppress(list, person, { category: MARKETING, source, rule, origin })
    } else
      for (const each of [list, account].filter(name => name !== ''))
        await audience.resume(each, person, { category: MARKETING, source, rule, lifts: [source] })
  }
}

/** Ids of people on WhatsApp: digits, with a prefix or a host at some providers. */
const WHATSAPP_NUMBER = /^(?:whatsapp:)?\+?(\d{7,15})(?:@wa\.gw\.msging\.net)?$/u
const BLIP_WHATSAPP = '@wa.gw.'
/** Meta's id of a person for one business. */
const SCOPED = /^[A-Z]{2}\.[\w.-]{1,128}$/u

const textAt = (object: JsonObject | undefined, name: string): string => {
  const value = object?.[name]
  return typeof value === 'string' ? value : ''
}

/** A person as the provider of a channel names them. */
interface ProviderPerson {
  /** Type of the channel, such as `whatsapp_meta`. */
  readonly type: string
  /** Id of the channel; empty: no bot has the number. */
  readonly channel: string
  readonly user: { readonly id: string; readonly data?: JsonObject }
}

/** The number and the ids of a person, as far as a provider tells. */
const identifyPerson = ({ type, channel, user: { id, data } }: ProviderPerson): PersonIdentifiers => {
  const on = channel === '' ? {} : { on: { channel, user: id } }
  if (!type.startsWith('whatsapp') && !id.includes(BLIP_WHATSAPP)) return on
  const scoped = SCOPED.test(id) ? id : textAt(data, 'bsuid')
  const number = (text: string) => WHATSAPP_NUMBER.exec(text.replaceAll(/[\s()-]/gu, ''))?.[1]
  const phone = number(id) ?? number(textAt(data, 'phone'))
  return { ...on, ...(phone === undefined ? {} : { phone }), ...(scoped === '' ? {} : { scoped }) }
}

const MAX_KEPT = 1000

interface ComposedOptOuts {
  readonly optOuts: OptOuts
  close(): void
}

/** Opt-outs of a gateway. Settings are read once until one of them or a level changes: each message of a person asks for them. */
export const composeOptOuts = (
  { read, keys }: Pick<RuntimeParts, 'read' | 'keys'>,
  sources: Pick<OptOutParts, 'audience' | 'runs'>,
): ComposedOptOuts => {
  const lists = openOptOutLists(read)
  const kept = new Map<string | null, Promise<OptOutList>>()
  const close = read.onTouched(['optoutsetting', 'hierarchy'], () => kept.clear())
  const at = (level: string | null): Promise<OptOutList> => {
    const known = kept.get(level)
    if (known !== undefined) return known
    const found = lists.at(level)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(level, found)
    found.catch(() => kept.delete(level))
    return found
  }
  const optOuts = new OptOuts({
    lists: { ...lists, at },
    ...sources,
    hmac: text => shortDigest(value => keys.index.hmac(value), text),
  })
  return { optOuts, close }
}

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
