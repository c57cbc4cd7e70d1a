import type { NluData } from '../project-data.ts'
import type { Gathered } from './gathered.ts'

const items = (texts: readonly string[]) => texts.map((text, at) => ({ id: String(at), text }))

/** What files hold, as the data of a project. */
export const gatheredData = (
  { intents, entities, synonyms, regexes, stories }: Gathered,
  locale: string,
  timezone = 'UTC',
): NluData => ({
  locale,
  timezone,
  intents: [...intents].map(([name, { statements, responses }]) => ({
    name,
    statements: items(statements),
    responses: items(responses),
  })),
  entities: [...entities].map(([name, entity]) => ({ name, ...entity })),
  synonyms: [...synonyms].map(([value, others]) => ({ value, synonyms: others })),
  regexes: [...regexes].map(([name, regex]) => ({ name, ...regex })),
  stories: [...stories].map(([name, steps]) => ({ name, steps })),
})
