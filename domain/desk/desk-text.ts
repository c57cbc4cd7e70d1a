import type { AgentText } from '#schemas/agent-system.ts'
import type { DeskText } from '#schemas/entities/deskqueue.ts'
import { localTime } from '../flow/condition/condition-date.ts'

const DAY = 86_400_000
const MINUTE_MS = 60_000
/** Waiting times in texts, in minutes. */
const STEPS = [1, 2, 3, 5, 10, 15, 20, 30]
/** Number of closed chats that an estimate needs. */
const MIN_SAMPLES = 5

/** Values of the placeholders; one that is undefined is not known. */
export interface TextValues {
  readonly position?: string | undefined
  readonly wait?: string | undefined
  readonly agent?: string | undefined
  readonly queue?: string | undefined
  readonly next?: string | undefined
}

/** Own texts of a queue or of an agent channel, by moment. */
export type OwnTexts<M extends string = DeskText> = readonly { readonly moment: M; readonly text?: string | null }[]

const SENTENCE = /(?:[^.!?…]+[.!?…]*|[.!?…]+)\s*/gu
const PLACEHOLDER = /\{(position|wait|agent|queue|next)\}/gu

/**
 * The text of a moment, undefined for none. A sentence with a placeholder whose value is not known is left out.
 */
export const deskText = (
  moment: DeskText,
  own: OwnTexts,
  standard: ReadonlyMap<string, string>,
  values: TextValues,
): string | undefined => momentWords({ moment, own, standard: standard.get(`desk.${moment}`) }, values)

/** The same for an agent channel of an outside system. */
export const agentText = (
  moment: AgentText,
  own: OwnTexts<AgentText>,
  standard: ReadonlyMap<string, string>,
  values: TextValues,
): string | undefined => momentWords({ moment, own, standard: standard.get(`agent.${moment}`) }, values)

const momentWords = <M extends string>(
  {
    moment,
    own,
    standard = '',
  }: { readonly moment: M; readonly own: OwnTexts<M>; readonly standard: string | undefined },
  values: TextValues,
): string | undefined => {
  const mine = own.find(each => each.moment === moment)
  const template = mine === undefined ? standard : (mine.text ?? '')
  const filled = (template.match(SENTENCE) ?? []).map(sentence => {
    let isKnown = true
    const text = sentence.replace(PLACEHOLDER, (_, name: keyof TextValues) => {
      isKnown &&= values[name] !== undefined
      return values[name] ?? ''
    })
    return isKnown ? text : ''
  })
  const text = filled.join('').trim()
  return text === '' ? undefined : text
}

/** Estimated wait at a position, rounded up to a listed time; undefined: not known. */
export const waitOf = (position: number, handled: readonly number[], places: number): string | undefined => {
  if (handled.length < MIN_SAMPLES || places < 1) return undefined
  const mean = handled.reduce((sum, ms) => sum + ms, 0) / handled.length
  const minutes = Math.ceil((position * mean) / places / MINUTE_MS)
  const step = STEPS.find(each => minutes <= each)
  return step === undefined ? undefined : `${step} min`
}

const DAYS = {
  en: ['today at {t}', 'tomorrow at {t}', '{d} at {t}'],
  pt: ['hoje às {t}', 'amanhã às {t}', '{d} às {t}'],
  es: ['hoy a las {t}', 'mañana a las {t}', '{d} a las {t}'],
} as const

/** A moment to come as people say it. */
export const momentText = (moment: number, now: number, timezone: string, locale: string): string => {
  const language = locale === 'en' || locale === 'es' ? locale : 'pt'
  const dayOf = (at: number) => Math.floor(localTime(at, timezone) / DAY)
  const days = dayOf(moment) - dayOf(now)
  const options = { timeZone: timezone } as const
  const time = new Intl.DateTimeFormat(language, { ...options, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = new Intl.DateTimeFormat(
    language,
    days < 7 ? { ...options, weekday: 'long' } : { ...options, day: 'numeric', month: 'long' },
  )
  return DAYS[language][Math.min(days, 2) as 0 | 1 | 2]
    .replace('{t}', time.format(moment))
    .replace('{d}', date.format(moment))
}

const CANNED = /\{((?:person|agent|bot)\.name|field\.[^{}\s]{1,100})\}/gu

/** A canned answer with its values; names of those that are not there stay in the text, and are refused. */
export const fillCanned = (
  text: string,
  values: Readonly<Record<string, string | undefined>>,
): { readonly text: string; readonly missing: readonly string[] } => {
  const missing = new Set<string>()
  const filled = text.replace(CANNED, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value !== undefined && value !== '') return value
    missing.add(name)
    return whole
  })
  return { text: filled, missing: [...missing] }
}

/** Names of values that a text to send still lacks. */
export const gapsIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(CANNED)].map(([, name = '']) => name)),
]
