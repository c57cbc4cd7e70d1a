import { createHash } from 'node:crypto'
import type { EventStore } from '#commands/store/port.ts'
import type { Evaluation } from '#domain/nlu/evaluation.ts'
import type { NluData } from '#domain/nlu/project-data.ts'
import type { ReadModels } from '#projections/port.ts'
import { type ProjectEntity, projectContent } from './project-content.ts'

/** Projects whose state is cached. */
const MAX_KEPT = 50

const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)
const textsOf = (items: readonly { readonly text: string }[]) => [...new Set(items.map(({ text }) => text))].sort()

/** SHA-256 of all training data, hex; independent of the order of items and of their ids. */
export const dataHash = ({ locale, timezone, intents, entities, regexes, synonyms }: NluData): string => {
  const known = {
    locale,
    timezone,
    intents: intents
      .toSorted(byName)
      .map(({ name, statements, responses }) => [name, textsOf(statements), responses.map(({ text }) => text)]),
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
      if (this.#kept.size <= MAX_KEPT) break
      this.#kept.delete(other)
    }
    return state
  }
}
