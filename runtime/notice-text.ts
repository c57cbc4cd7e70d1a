import type { Language } from '#schemas/language.ts'
import enCampaign from '#schemas/locales/en/campaign.json' with { type: 'json' }
import en from '#schemas/locales/en/shell.json' with { type: 'json' }
import esCampaign from '#schemas/locales/es/campaign.json' with { type: 'json' }
import es from '#schemas/locales/es/shell.json' with { type: 'json' }
import ptCampaign from '#schemas/locales/pt/campaign.json' with { type: 'json' }
import pt from '#schemas/locales/pt/shell.json' with { type: 'json' }

const BELLS = { en: en.bell, es: es.bell, pt: pt.bell } as const satisfies Record<Language, unknown>

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
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => String(known[key] ?? ''))
}
