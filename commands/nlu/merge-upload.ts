import type { NluFileContent } from '#domain/nlu/format/nlu-file-content.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { foldName } from '#schemas/fold-text.ts'
import { stringsOf } from '#schemas/json.ts'

type Fields = Readonly<Record<string, Json>>

/** A thing of the project as it is. */
interface PresentThing {
  readonly id: string
  readonly revision: number
  readonly fields: Fields
}

/** By entity. */
export type ExistingEntities = Readonly<Record<string, readonly PresentThing[]>>

/** Merge result of one entity in a file: fields of a new one, changed fields of an existing one, or no change. */
export interface MergedEntity {
  readonly entity: string
  readonly name: string
  readonly present?: PresentThing
  readonly input: JsonObject
  /** Lines, values or patterns that are new. */
  readonly count: number
}

export const UPLOADED = ['nluprojectentity', 'synonym', 'regex', 'intent', 'story'] as const

type Merge = (present: Fields | undefined) => { readonly input: JsonObject; readonly count: number }

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item): item is JsonObject => typeof item === 'object' && item !== null) : []

/** Short: an intent holds thousands of them. */
const itemId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12)

const withTexts = (present: Json | undefined, texts: readonly string[]) => {
  const items = listOf(present)
  const known = new Set(items.map(({ text }) => text))
  const added = texts.filter(text => !known.has(text)).map(text => ({ id: itemId(), text }))
  return { items: [...items, ...added], count: added.length }
}

const mergeIntent =
  ({
    statements,
    responses,
  }: {
    readonly statements: readonly string[]
    readonly responses: readonly string[]
  }): Merge =>
  present => {
    const lines = withTexts(present?.statements, statements)
    const said = withTexts(present?.responses, responses)
    return {
      input: {
        ...(lines.count === 0 ? {} : { statements: lines.items }),
        ...(said.count === 0 ? {} : { responses: said.items }),
      },
      count: lines.count + said.count,
    }
  }

type Table = readonly { readonly value: string; readonly synonyms: readonly string[] }[]

const mergeTable = (present: Json | undefined, table: Table) => {
  const items = new Map(listOf(present).map(item => [String(item.value), item]))
  let count = 0
  for (const { value, synonyms } of table) {
    const known = items.get(value)
    const others = new Set(stringsOf(known?.synonyms))
    const added = synonyms.filter(synonym => !others.has(synonym))
    count += added.length + (known === undefined ? 1 : 0)
    items.set(value, { id: known?.id ?? itemId(), value, synonyms: [...others, ...added] })
  }
  return { items: [...items.values()], count }
}

const mergeEntity =
  ({ type, lookup }: { readonly type: string; readonly lookup: Table }): Merge =>
  present => {
    const table = mergeTable(present?.lookup_data, lookup)
    const becomes = present === undefined || (present.type === 'learned' && type === 'lookup') ? type : present.type
    return {
      input: {
        ...(becomes === present?.type ? {} : { type: becomes ?? type }),
        ...(table.count === 0 || becomes === 'system' ? {} : { lookup_data: table.items }),
      },
      count: table.count,
    }
  }

const mergeSynonym =
  (synonyms: readonly string[]): Merge =>
  present => {
    const known = stringsOf(present?.synonyms)
    const added = synonyms.filter(synonym => !known.includes(synonym))
    return { input: added.length === 0 ? {} : { synonyms: [...known, ...added] }, count: added.length }
  }

const mergeRegex =
  ({ entity, pattern }: { readonly entity: string; readonly pattern: string }): Merge =>
  present => {
    const isSame = present?.entity === entity && present.pattern === pattern
    return { input: isSame ? {} : { entity, pattern }, count: isSame ? 0 : 1 }
  }

type Steps = readonly { readonly kind: string; readonly name: string; readonly text: string }[]

const plainSteps = (steps: readonly JsonObject[]): string =>
  JSON.stringify(steps.map(({ kind, name, text }) => [kind, name, text ?? '']))

const mergeStory =
  (steps: Steps): Merge =>
  present => {
    const wanted = steps.map(step => ({ ...step }))
    if (present !== undefined && plainSteps(listOf(present.steps)) === plainSteps(wanted))
      return { input: {}, count: 0 }
    return { input: { steps: wanted.map(step => ({ id: itemId(), ...step })) }, count: steps.length }
  }

const mergesOf = (
  gathered: NluFileContent,
): Readonly<Record<(typeof UPLOADED)[number], ReadonlyMap<string, Merge>>> => {
  const by = <T>(things: ReadonlyMap<string, T>, merge: (thing: T) => Merge) =>
    new Map([...things].map(([name, thing]) => [name, merge(thing)]))
  return {
    nluprojectentity: by(gathered.entities, mergeEntity),
    synonym: by(gathered.synonyms, mergeSynonym),
    regex: by(gathered.regexes, mergeRegex),
    intent: by(gathered.intents, mergeIntent),
    story: by(gathered.stories, mergeStory),
  }
}

/**
 * Merges a file into a project: adds new entities, and missing content to those of the same name. Patterns and stories
 * replace those of their name; nothing is removed.
 */
export const mergeUpload = (gathered: NluFileContent, present: ExistingEntities): readonly MergedEntity[] =>
  Object.entries(mergesOf(gathered)).flatMap(([entity, merges]) => {
    const title = entity === 'synonym' ? 'value' : 'name'
    const things = new Map((present[entity] ?? []).map(thing => [foldName(String(thing.fields[title])), thing]))
    const merged = new Map<string, MergedEntity>()
    for (const [name, merge] of merges) {
      const key = foldName(name)
      const before = merged.get(key)
      const thing = things.get(key)
      const base = before === undefined ? thing?.fields : { ...thing?.fields, ...before.input }
      const { input, count } = merge(base)
      merged.set(key, {
        entity,
        name: before?.name ?? name,
        ...(thing === undefined ? {} : { present: thing }),
        input: { ...before?.input, ...input },
        count: count + (before?.count ?? 0),
      })
    }
    return [...merged.values()].map(thing =>
      thing.present === undefined ? { ...thing, input: { [title]: thing.name, ...thing.input } } : thing,
    )
  })
