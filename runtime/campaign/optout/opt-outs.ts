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
import type { JsonObject } from '#schemas/event.ts'
import type { OptOutOrigin } from '#schemas/events/campaign.ts'
import { levelChain } from '../../conversation/effect/turn-settings.ts'
import type { RuntimeParts } from '../../parts.ts'
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
export interface OptOutCandidate {
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
  readonly index: Pick<StoredAudience['index'], 'suppressionsOf' | 'digestsLike' | 'historyOf'>
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
    const own = audience.index.suppressionsOf({ lists: [at.list], category: MARKETING }, person)
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
    const isEarly = audience.index
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
    return audience.index.suppressionsOf({ lists, category }, audience.digestsOf(known)).length > 0
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
export const identifyPerson = ({ type, channel, user: { id, data } }: ProviderPerson): PersonIdentifiers => {
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
