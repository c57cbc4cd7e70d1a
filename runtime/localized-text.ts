import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { blockLabel } from '#schemas/flow/summary.ts'
import { own } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'
import enBlock from '#schemas/locales/en/block.json' with { type: 'json' }
import enCampaign from '#schemas/locales/en/campaign.json' with { type: 'json' }
import en from '#schemas/locales/en/problem.json' with { type: 'json' }
import enShell from '#schemas/locales/en/shell.json' with { type: 'json' }
import esBlock from '#schemas/locales/es/block.json' with { type: 'json' }
import esCampaign from '#schemas/locales/es/campaign.json' with { type: 'json' }
import es from '#schemas/locales/es/problem.json' with { type: 'json' }
import esShell from '#schemas/locales/es/shell.json' with { type: 'json' }
import ptBlock from '#schemas/locales/pt/block.json' with { type: 'json' }
import ptCampaign from '#schemas/locales/pt/campaign.json' with { type: 'json' }
import pt from '#schemas/locales/pt/problem.json' with { type: 'json' }
import ptShell from '#schemas/locales/pt/shell.json' with { type: 'json' }
import { type ProblemParams, type ProblemTexts, problemText } from '#schemas/problem-text.ts'
import type { FieldError, Refusal } from '#schemas/refusal.ts'

const TEXTS: Readonly<Record<Language, ProblemTexts>> = { en, pt, es }

const textOf = (language: Language, key: string, params?: ProblemParams): string =>
  problemText(TEXTS[language], language, key, params)

/** The text of a refusal in a language. */
export const refusalText = ({ code, params }: Refusal, language: Language): string => textOf(language, code, params)

const BLOCKS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: enBlock, es: esBlock, pt: ptBlock }

/** Replaces a field by its label, and the title of an untitled block by the name of its type. */
const flowParams = (params: ProblemParams, language: Language): ProblemParams => {
  const { type, field, title } = params
  if (typeof type !== 'string' || typeof field !== 'string' || typeof title !== 'string') return params
  const labelOf = (keys: readonly string[]) => keys.map(key => own(BLOCKS[language], key)).find(Boolean)
  return {
    ...params,
    field: labelOf(blockLabel.field(type, field.split('.'))) ?? field,
    title: isMachineTitle(title, type) ? (labelOf(blockLabel.type(type)) ?? title) : title,
  }
}

/** The text of a field's error in a language. */
export const fieldErrorText = ({ code, params }: FieldError, language: Language): string =>
  textOf(language, `field.${code}`, code === 'flow' && params !== undefined ? flowParams(params, language) : params)

/** The reason why a campaign message was not sent, or why its outcome is unknown. An unknown code is its own text. */
export const sendReasonText = (language: Language, reason: string): string =>
  textOf(language, 'sendreason', { rule: reason, code: reason })

const BELLS = { en: enShell.bell, es: esShell.bell, pt: ptShell.bell } as const satisfies Record<Language, unknown>

const REASONS = {
  en: enCampaign.runreason,
  es: esCampaign.runreason,
  pt: ptCampaign.runreason,
} as const satisfies Record<Language, unknown>

/** Values of a notification, and the sentence of the reason for which a run is paused or waits. */
export const noticeParams = <Params extends Readonly<Record<string, unknown>>>(
  language: Language,
  message: string,
  params: Params,
): Params & { readonly why?: string } => {
  const { reason } = params
  if (!message.startsWith('campaign.') || typeof reason !== 'string') return params
  const reasons: Readonly<Record<string, string>> = REASONS[language]
  const { runrefused } = BELLS[language]
  const known = Object.hasOwn(reasons, reason) ? reasons[reason] : reasons.other
  const text = /^\d+$/u.test(reason) ? runrefused : (known ?? '')
  return { ...params, why: text.replaceAll('{{reason}}', reason) }
}

const templateOf = (language: Language, code: string): string => {
  const { message, other } = BELLS[language]
  const [subject = '', verb = ''] = code.split('.')
  const verbs: Readonly<Record<string, Readonly<Record<string, string>>>> = message
  return (Object.hasOwn(verbs, subject) ? verbs[subject]?.[verb] : undefined) ?? other
}

const shownIn = (language: Language, value: unknown): string =>
  typeof value === 'number'
    ? value.toLocaleString(language === 'pt' ? 'pt-BR' : language, { maximumFractionDigits: 1 })
    : String(value ?? '')

/** The sentence of a notification in a language. `values` has the name of the thing, and the actor if a person acted. */
export const noticeText = (
  language: Language,
  message: string,
  values: Readonly<Record<string, unknown>> & { readonly name: string; readonly actor?: string | undefined },
): string => {
  const known: Readonly<Record<string, unknown>> = {
    ...noticeParams(language, message, values),
    actor: values.actor ?? BELLS[language].someone,
  }
  return templateOf(language, message)
    .replace(/<\/?b>/g, '')
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => shownIn(language, known[key]))
}
