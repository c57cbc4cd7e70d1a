import type { NluData } from './project-data.ts'

const unionByName = <T extends { readonly name: string }>(
  own: readonly T[],
  inherited: readonly T[],
  join: (mine: T, theirs: T) => T,
): readonly T[] => {
  const theirs = new Map(inherited.map(each => [each.name, each]))
  const names = new Set(own.map(({ name }) => name))
  return [
    ...own.map(each => {
      const other = theirs.get(each.name)
      return other === undefined ? each : join(each, other)
    }),
    ...inherited.filter(({ name }) => !names.has(name)),
  ]
}

const mine = <T>(own: T): T => own

/**
 * A project with what it inherits (NLU.md 5.11): intents of one name have the lines of both, its own first, and its own
 * responses where it has some; its entities and regexes replace those of the same name.
 */
export const inheritData = (own: NluData, inherited: NluData): NluData => ({
  locale: own.locale,
  timezone: own.timezone,
  intents: unionByName(own.intents, inherited.intents, (each, other) => ({
    name: each.name,
    statements: [...each.statements, ...other.statements],
    responses: each.responses.length > 0 ? each.responses : other.responses,
  })),
  entities: unionByName(own.entities, inherited.entities, mine),
  regexes: unionByName(own.regexes, inherited.regexes, mine),
  synonyms: [
    ...own.synonyms,
    ...inherited.synonyms.filter(({ value }) => !own.synonyms.some(each => each.value === value)),
  ],
  stories: [...(own.stories ?? []), ...(inherited.stories ?? [])],
})
