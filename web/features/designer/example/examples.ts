import type { Json } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { isObject } from '#schemas/json.ts'
import type { Language } from '#schemas/language.ts'

export const EXAMPLES = ['welcome', 'rating', 'outage'] as const
export type ExampleName = (typeof EXAMPLES)[number]

const FILES: Readonly<Record<ExampleName, () => Promise<unknown>>> = {
  welcome: async () => (await import('./welcome.json')).default,
  rating: async () => (await import('./rating.json')).default,
  outage: async () => (await import('./outage.json')).default,
}

/** Replaces all texts and names of variables that have a translation. */
const translated = (value: Json, words: Readonly<Record<string, string>>): Json => {
  if (typeof value === 'string') return words[value] ?? value
  if (Array.isArray(value)) return value.map(item => translated(item, words))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translated(item as Json, words)]))
}

/** A flow that a bot could have, without what it refers to outside of itself. The files are in Portuguese. */
export const loadExample = async (name: ExampleName, language: Language): Promise<FlowFile> => {
  const file = (await FILES[name]()) as FlowFile
  if (language === 'pt') return file
  const { default: words } = await import('./translations.json')
  const operators = translated(file.operators as unknown as Json, words[language])
  return { ...file, operators: operators as unknown as FlowFile['operators'] }
}
