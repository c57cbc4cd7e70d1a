import { OPT_IN_WORDS, OPT_OUT_WORDS } from '#schemas/entities/optoutsetting.ts'
import { folded } from '#schemas/fold-text.ts'
import type { RowOf } from '#schemas/row.ts'

interface OptOutWord {
  readonly word: string
  /** False: the word has other meanings in a conversation, so that it counts only after a campaign. */
  readonly isSure: boolean
}

interface LocaleText {
  readonly locale: string
  readonly text: string
}

/** Words by which people stop and resume messages at a level, and what follows. */
export interface OptOutSetting {
  readonly words: readonly OptOutWord[]
  readonly startWords: readonly string[]
  /** Payloads of buttons. */
  readonly buttons: readonly string[]
  readonly reply: readonly LocaleText[]
  readonly startReply: readonly LocaleText[]
  readonly scope: 'marketing' | 'all'
  /** The bot gets words of opt-out too. */
  readonly passToBot: boolean
}

/** The setting of levels that have none, and none above them. */
export const DEFAULT_OPT_OUT: OptOutSetting = {
  words: OPT_OUT_WORDS.map(({ word, sure }) => ({ word, isSure: sure })),
  startWords: OPT_IN_WORDS,
  buttons: [],
  reply: [],
  startReply: [],
  scope: 'marketing',
  passToBot: false,
}

/** The setting in the fields of an `optoutsetting`. */
export const optOutSetting = (fields: RowOf<'optoutsetting'>): OptOutSetting => ({
  words: fields.words.map(({ word, sure = false }) => ({ word, isSure: sure })),
  startWords: fields.startwords,
  buttons: fields.buttons,
  reply: fields.reply,
  startReply: fields.startreply,
  scope: fields.scope,
  passToBot: fields.pass_to_bot,
})

/** A reply in the language of the person, else the first one; undefined where none is set. */
export const replyIn = (replies: readonly LocaleText[], locale: string): string | undefined => {
  const language = locale.slice(0, 2).toLowerCase()
  const found = replies.find(reply => reply.locale.slice(0, 2).toLowerCase() === language) ?? replies[0]
  return found === undefined || found.text.trim() === '' ? undefined : found.text
}

/** Longer texts are no opt-out: a word has at most 40 characters, with marks and emoji around it. */
const MAX_LENGTH = 200
/** Invisible characters. */
const FORMAT = /\p{Cf}/gu
const AROUND = /^[^\p{L}\p{N}]{1,200}|[^\p{L}\p{N}]{1,200}$/gu
const SPACES = /\s{1,200}/gu

/** A whole message without capitals, accents, and marks and emoji around it; empty where it is too long. */
const normalized = (text: string): string =>
  text.length > MAX_LENGTH
    ? ''
    : folded(text.normalize('NFKC')).replace(FORMAT, '').replace(AROUND, '').replace(SPACES, ' ')

/** Polite words before and after a word. */
const GREETING =
  /^(?:ol[ao]|oi|hola|hi|hello|por favor|por gentileza|porfa|pfv|please)[^\p{L}\p{N}]{1,9}(?=[\p{L}\p{N}])/u
const COURTESY =
  /[^\p{L}\p{N}]{1,9}(?:por favor|por gentileza|porfa|pfv|pfvr|pf|please|pls|obrigad[oa]|obg|gracias|thanks|thank you)$/u
/** Letters with a mark or space between each two: S.A.I.R */
const SPELLED = /^\p{L}(?:[^\p{L}\p{N}]\p{L}){2,39}$/u

/** A normalized message without greeting and courtesy, and with spelled letters joined. */
const plain = (text: string): string => {
  const bare = text.replace(GREETING, '').replace(COURTESY, '').replace(COURTESY, '')
  return SPELLED.test(bare) ? bare.replace(/[^\p{L}]/gu, '') : bare
}

/** Letters from which a word may be misspelled. */
const MIN_FUZZY = 6

/** Whether one letter was added, left out or replaced, or two neighbours swapped. */
const isOneEditAway = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}

/** Letters of the words of a sentence that are compared letter by letter: `no quiero` is not `yo quiero`. */
const MAX_EXACT = 2

/** Whether a short word of one sentence is another word in the other. */
const hasOtherShortWord = (text: string, word: string): boolean => {
  const [said, known] = [text.split(' '), word.split(' ')]
  return (
    said.length === known.length &&
    known.length > 1 &&
    known.some((part, at) => part !== said[at] && Math.max(part.length, said[at]?.length ?? 0) <= MAX_EXACT)
  )
}

const isMisspelled = (text: string, word: string): boolean =>
  (word.match(/\p{L}/gu)?.length ?? 0) >= MIN_FUZZY && isOneEditAway(text, word) && !hasOtherShortWord(text, word)

type OptOutMatch = 'sure' | 'button' | 'unsure' | 'start'

/**
 * Meaning of a text, or of the payload and title of a button. Exact words count before misspelled ones, sure
 * words before unsure ones.
 */
export const matchOptOut = (
  said: readonly string[],
  { words, startWords, buttons }: OptOutSetting,
): OptOutMatch | undefined => {
  if (said.some(text => buttons.includes(text))) return 'button'
  const given = said.flatMap(text => [normalized(text), plain(normalized(text))]).filter(text => text !== '')
  const known = [
    ...words.map(({ word, isSure }) => ({ word: normalized(word), as: isSure ? 'sure' : 'unsure' }) as const),
    ...startWords.map(word => ({ word: normalized(word), as: 'start' }) as const),
  ].filter(({ word }) => word !== '')
  const exact = known.filter(({ word }) => given.includes(word))
  const found = exact.length > 0 ? exact : known.filter(({ word }) => given.some(text => isMisspelled(text, word)))
  return (['sure', 'unsure', 'start'] as const).find(as => found.some(each => each.as === as))
}

/** Facts that a decision about a message depends on. */
interface OptOutHeard {
  /** Text, or payload and title of a button. */
  readonly said: readonly string[]
  /** The message answers one of a campaign, by the id of that. */
  readonly answersCampaign: boolean
  /** When a campaign wrote to the person last, within the last 7 days (ms). */
  readonly lastCampaign: number | undefined
  /** The person's own words, or Meta for them, stopped messages before. */
  readonly isStopped: boolean
  /** The bot that hears the message too; undefined where no bot answers. */
  readonly bot: WaitingBot | undefined
}

/** Options of the question that waits for an answer. */
export interface WaitingBot {
  /** Labels and values of options, and menu commands. */
  readonly offered: readonly string[]
  /** ms since 1970; undefined where no question waits. */
  readonly askedAt: number | undefined
}

type OptOutRule =
  /** A sure word, or a button of the setting. */
  | 'sure'
  | 'button'
  /** An unsure word in answer to a campaign, after one, or to a number without a bot. */
  | 'answer'
  | 'campaign'
  | 'nobot'
  /** An unsure word that the bot offered, or without a campaign before it. */
  | 'offered'
  | 'nocampaign'
  | 'startword'

export type OptOutDecision =
  | { readonly kind: 'none' }
  | { readonly kind: 'stop' | 'start' | 'pass'; readonly rule: OptOutRule; readonly toBot: boolean }

const isOffered = (said: readonly string[], { offered }: WaitingBot): boolean => {
  const options = new Set(offered.map(normalized))
  return said.some(text => normalized(text) !== '' && options.has(normalized(text)))
}

/** Decides whether a message stops or resumes messages, and whether the bot gets it. */
export const decideOptOut = (heard: OptOutHeard, setting: OptOutSetting): OptOutDecision => {
  const { said, answersCampaign, lastCampaign, isStopped, bot } = heard
  const match = matchOptOut(said, setting)
  const stop = (rule: OptOutRule, toBot = false): OptOutDecision => ({
    ...{ kind: 'stop', rule },
    toBot: toBot || setting.passToBot,
  })
  if (match === undefined) return { kind: 'none' }
  if (match === 'sure' || match === 'button') return stop(match)
  const isOption = bot !== undefined && isOffered(said, bot)
  if (match === 'start')
    return isStopped && !isOption ? { kind: 'start', rule: 'startword', toBot: setting.passToBot } : { kind: 'none' }
  // The id of the message that is answered leaves no doubt, also where the bot offers the same word.
  if (answersCampaign) return stop('answer', isOption)
  if (bot === undefined) return stop(lastCampaign === undefined ? 'nobot' : 'campaign')
  const isNewer = lastCampaign !== undefined && lastCampaign > (bot.askedAt ?? 0)
  if (isOption && !isNewer) return { kind: 'pass', rule: 'offered', toBot: true }
  return lastCampaign === undefined ? { kind: 'pass', rule: 'nocampaign', toBot: true } : stop('campaign')
}
