import type { Notification } from '#projections/port.ts'
import type { Language } from '#schemas/language.ts'
import en from '#schemas/locales/en/shell.json' with { type: 'json' }
import es from '#schemas/locales/es/shell.json' with { type: 'json' }
import pt from '#schemas/locales/pt/shell.json' with { type: 'json' }
import type { Parts } from './port.ts'

const BELLS = { en: en.bell, es: es.bell, pt: pt.bell } as const satisfies Record<Language, unknown>

type Scope = Parameters<Parts['read']['names']>[0]

const templateOf = (language: Language, code: string): string => {
  const { message, other } = BELLS[language]
  const [subject = '', verb = ''] = code.split('.')
  const verbs: Readonly<Record<string, Readonly<Record<string, string>>>> = message
  return (Object.hasOwn(verbs, subject) ? verbs[subject]?.[verb] : undefined) ?? other
}

/** Adds the sentence of each notification in a language; the console draws the same sentence with its names in bold. */
export const withTexts = async <T extends Notification>(
  read: Pick<Parts['read'], 'names'>,
  scope: Scope,
  items: readonly T[],
  language: Language,
): Promise<(T & { readonly text: string })[]> => {
  const ids: Record<string, string[]> = {}
  for (const { entity, entityid, params } of items)
    if (entity !== undefined && entityid !== undefined && params.name === undefined) {
      ids[entity] ??= []
      ids[entity].push(entityid)
    }
  const names = Object.keys(ids).length === 0 ? {} : await read.names(scope, ids)
  return items.map(item => {
    const { entity = '', entityid = '', params, actor } = item
    const name = typeof params.name === 'string' ? params.name : (names[entity]?.[entityid] ?? '')
    const values: Readonly<Record<string, unknown>> = {
      ...params,
      name,
      actor: actor?.username ?? BELLS[language].someone,
    }
    const text = templateOf(language, item.message)
      .replace(/<\/?b>/g, '')
      .replace(/\{\{(\w+)\}\}/g, (_, key: string) => String(values[key] ?? ''))
    return { ...item, text }
  })
}
