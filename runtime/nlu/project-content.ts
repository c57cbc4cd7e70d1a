import { createHash } from 'node:crypto'
import { type ExistingEntities, UPLOADED } from '#commands/nlu/plan-upload.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Evaluation } from '#domain/nlu/evaluation.ts'
import { type IntentData, inheritData, type NluData } from '#domain/nlu/project-data.ts'
import type { ReadModels, RowOf, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { EntityName } from '#schemas/entities/registry.ts'
import type { Json } from '#schemas/event.ts'
import { textOf } from '#schemas/json.ts'

/** A trained entity: a project of tasks, or a brain of questions and answers. */
export type ProjectEntity = 'nluproject' | 'brain'
export const PROJECT_ENTITIES: readonly ProjectEntity[] = ['nluproject', 'brain']

/** Maximum chain of inherited projects. */
const MAX_PARENTS = 20

const intentOf = ({ name, statements, responses }: RowOf<'intent' | 'nluintent'>): IntentData => ({
  ...{ name, statements, responses },
})

const ownContent = async (read: ReadModels, entity: ProjectEntity, project: RowOf<ProjectEntity>): Promise<NluData> => {
  const within = <N extends EntityName>(name: N) => allRows(read, SYSTEM_SCOPE, name, { [entity]: project.id })
  const isProject = entity === 'nluproject'
  const [intents, entities, regexes, synonyms] = await Promise.all([
    within(isProject ? 'intent' : 'nluintent'),
    isProject ? within('nluprojectentity') : [],
    isProject ? within('regex') : [],
    isProject ? within('synonym') : [],
  ])
  return {
    locale: project.locale,
    timezone: project.timezone || 'America/Sao_Paulo',
    intents: intents.map(intentOf),
    entities: entities.map(({ name, type, lookup_data }) => ({
      name,
      type,
      lookup: lookup_data.map(({ value, synonyms = [] }) => ({ value, synonyms })),
    })),
    regexes: regexes.map(({ name, entity, pattern }) => ({ name, entity, pattern })),
    synonyms: synonyms.map(({ value, synonyms }) => ({ value, synonyms })),
  }
}

/** Training data of a project, including inherited data, as in the current read models. */
export const projectContent = async (
  read: ReadModels,
  entity: ProjectEntity,
  id: string,
): Promise<NluData | undefined> => {
  let data: NluData | undefined
  const seen = new Set<string>()
  for (let next = id; next !== '' && !seen.has(next) && seen.size < MAX_PARENTS; ) {
    seen.add(next)
    const project = await read.detail(SYSTEM_SCOPE, entity, next)
    if (project === undefined) break
    const own = await ownContent(read, entity, project)
    data = data === undefined ? own : inheritData(data, own)
    next = project.inheritfrom ?? ''
  }
  return data
}

/** Entities of a project by type, oldest first. */
export const loadProjectEntities = async (
  read: ReadModels,
  scope: Scope,
  project: string,
): Promise<ExistingEntities> => {
  const found = UPLOADED.map(async entity => {
    const rows = await allRows(read, scope, entity, { nluproject: project })
    const things = rows.map(({ id, revision, ...fields }) => ({ id, revision, fields }))
    return [entity, things.reverse()] as const
  })
  return Object.fromEntries(await Promise.all(found))
}
const membersOf = (value: Json | undefined) =>
  (Array.isArray(value) ? value : []).flatMap(item =>
    typeof item === 'object' && item !== null && !Array.isArray(item) ? [item] : [],
  )
const textsOf = (value: Json | undefined) =>
  (Array.isArray(value) ? value : []).filter(item => typeof item === 'string')
const linesOf = (value: Json | undefined) =>
  membersOf(value).map(({ id, text }) => ({ id: textOf(id), text: textOf(text) }))
const oneOf = <const T extends string>(options: readonly [T, ...T[]], value: Json | undefined): T =>
  options.find(option => option === value) ?? options[0]

/** The same entities as data for a download. */
export const contentOf = (things: ExistingEntities, project: Readonly<Record<string, Json>>): NluData => {
  const fieldsOf = (entity: string) => (things[entity] ?? []).map(({ fields }) => fields)
  return {
    locale: textOf(project.locale),
    timezone: textOf(project.timezone),
    intents: fieldsOf('intent').map(({ name, statements, responses }) => ({
      name: textOf(name),
      statements: linesOf(statements),
      responses: linesOf(responses),
    })),
    entities: fieldsOf('nluprojectentity').map(({ name, type, lookup_data: table }) => ({
      name: textOf(name),
      type: oneOf(['learned', 'lookup', 'system'], type),
      lookup: membersOf(table).map(({ value, synonyms }) => ({ value: textOf(value), synonyms: textsOf(synonyms) })),
    })),
    synonyms: fieldsOf('synonym').map(({ value, synonyms }) => ({ value: textOf(value), synonyms: textsOf(synonyms) })),
    regexes: fieldsOf('regex').map(({ name, entity, pattern }) => ({
      name: textOf(name),
      entity: textOf(entity),
      pattern: textOf(pattern),
    })),
    stories: fieldsOf('story').map(({ name, steps }) => ({
      name: textOf(name),
      steps: membersOf(steps).map(step => ({
        kind: oneOf(['intent', 'entity', 'action'], step.kind),
        name: textOf(step.name),
        text: textOf(step.text),
      })),
    })),
  }
}

/** Projects whose state is cached. */
const MAX_STATES = 50

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)
const sortedTexts = (items: readonly { readonly text: string }[]) => [...new Set(items.map(({ text }) => text))].sort()

/** SHA-256 of all training data, hex; independent of the order of items and of their ids. */
export const dataHash = ({ locale, timezone, intents, entities, regexes, synonyms }: NluData): string => {
  const known = {
    locale,
    timezone,
    intents: intents
      .toSorted(byName)
      .map(({ name, statements, responses }) => [name, sortedTexts(statements), responses.map(({ text }) => text)]),
    entities: entities.toSorted(byName),
    regexes: regexes.toSorted(byName),
    synonyms: synonyms.toSorted((a, b) => (a.value < b.value ? -1 : 1)),
  }
  return createHash('sha256').update(JSON.stringify(known)).digest('hex')
}

interface DataState {
  readonly hash: string
  /** Lines keyed by intent and text. */
  readonly lines: ReadonlySet<string>
}

const lineKey = (intent: string, text: string): string => `${intent}\n${text}`

const stateOf = (data: NluData): DataState => ({
  hash: dataHash(data),
  lines: new Set(data.intents.flatMap(({ name, statements }) => statements.map(({ text }) => lineKey(name, text)))),
})

/** Number of lines that a model was not trained with. */
export const untrainedLines = ({ lines }: DataState, { intents, lines: trained }: Evaluation): number => {
  const known = new Set(trained.map(({ intent, text }) => lineKey(intents[intent] ?? '', text)))
  return lines.difference(known).size
}

/** Cached data state of projects, refreshed when the log has grown. */
export class DataStates {
  readonly #store: EventStore
  readonly #read: ReadModels
  readonly #kept = new Map<string, { readonly position: string; readonly state: Promise<DataState | undefined> }>()

  constructor(store: EventStore, read: ReadModels) {
    this.#store = store
    this.#read = read
  }

  async of(entity: ProjectEntity, id: string): Promise<DataState | undefined> {
    const position = await this.#store.head()
    const known = this.#kept.get(id)
    if (known?.position === position) return known.state
    const state = projectContent(this.#read, entity, id).then(data => data && stateOf(data))
    this.#kept.delete(id)
    this.#kept.set(id, { position, state })
    state.catch(() => this.#kept.delete(id))
    for (const other of this.#kept.keys()) {
      if (this.#kept.size <= MAX_STATES) break
      this.#kept.delete(other)
    }
    return state
  }
}
