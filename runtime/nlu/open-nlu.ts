import { setImmediate } from 'node:timers/promises'
import type { Evaluation, JudgedLine } from '#domain/nlu/evaluation.ts'
import type { NluModel } from '#domain/nlu/model.ts'
import { explainIntent, parseText, type Reason, type Understanding } from '#domain/nlu/parse-text.ts'
import { type ListedModel, modelsOf } from '#domain/nlu-training.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { callerOf } from '../isolation/pooled-work.ts'
import type { FileStorage } from '../storage/storage-port.ts'
import { ModelCache } from './model-cache.ts'
import { findPatterns, trainInPool } from './nlu-jobs.ts'
import { DataStates, type ProjectEntity, projectContent, untrainedLines } from './project-content.ts'
import { type TrainingProgress, Trainings } from './trainings.ts'

/** Cached evaluations. */
const MAX_KEPT = 8

/** Evaluations of trainings, cached by their file. */
class Evaluations {
  readonly #storage: FileStorage
  readonly #kept = new Map<string, Evaluation>()

  constructor(storage: FileStorage) {
    this.#storage = storage
  }

  /** Undefined when a model has none or its file is lost or damaged; a new training creates it. */
  async of({ evaluation: file }: ListedModel): Promise<Evaluation | undefined> {
    const known = this.#kept.get(file)
    if (known !== undefined || file === '') return known
    const stored = await this.#storage.read(file)
    const evaluation = stored && parsed(stored.content)
    if (evaluation === undefined) return undefined
    this.#kept.set(file, evaluation)
    for (const other of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break
      this.#kept.delete(other)
    }
    return evaluation
  }
}

const parsed = (content: Buffer): Evaluation | undefined => {
  try {
    const value = JSON.parse(content.toString('utf8'))
    return Array.isArray(value?.lines) && Array.isArray(value?.intents) ? value : undefined
  } catch {
    return undefined
  }
}

/** Selects a model of a project: by a flag, or by its hash. */
export type ModelSelector = 'production' | 'test' | { readonly hash: string }

interface AskedText {
  readonly text: string
  readonly model: ModelSelector
  /** Lookup values may differ by one edit. */
  readonly fuzzy: boolean
  /** ms since 1970. */
  readonly now: number
}

/** Strongest reasons for and against the best intent. */
export interface NluReasons {
  readonly for: readonly Reason[]
  readonly against: readonly Reason[]
}

/** Result of a model for a text. */
interface NluAnswer extends Understanding {
  readonly reasons: NluReasons
  /** Minimum confidence; below it the model gives no intent. */
  readonly threshold: number
  /** Answers written for the intent, as of its training. */
  readonly responses: readonly string[]
  readonly system: 'parley'
  /** Hash of the model. */
  readonly model: string
  readonly ms: number
}

/** The NLU engine of the gateway. */
export interface Nlu {
  /** Understands a text with a model of a project; undefined when there is no such model. */
  parse(entity: ProjectEntity, project: RowOf<ProjectEntity>, asked: AskedText): Promise<NluAnswer | undefined>
  /** Answers stored in a model, by intent; undefined when there is no such model. */
  responses(
    entity: ProjectEntity,
    project: RowOf<ProjectEntity>,
    wanted: ModelSelector,
  ): Promise<Readonly<Record<string, readonly string[]>> | undefined>
  /** A model's results for lines; undefined when there is no such model. */
  judge(
    entity: ProjectEntity,
    project: RowOf<ProjectEntity>,
    hash: string,
    lines: readonly LabelledText[],
  ): Promise<readonly JudgedLine[] | undefined>
  /** Evaluation from the training of a model. */
  evaluation(model: ListedModel): Promise<Evaluation | undefined>
  /** Compares a project with its newest model; undefined when that is not known. */
  dataState(entity: ProjectEntity, project: RowOf<ProjectEntity>): Promise<DataStanding | undefined>
  /** Whether another training is accepted. */
  admit(id: string): boolean
  /** As those of `Trainings`. */
  setApart(id: string, isApart: boolean): void
  trainApart(id: string, started: string): Promise<JsonObject | undefined>
  progress(id: string): TrainingProgress | undefined
  close(): Promise<void>
}

interface LabelledText {
  readonly text: string
  /** The expected intent. */
  readonly intent: string
}

interface DataStanding {
  /** The data changed after the training of the model. */
  readonly stale: boolean
  /** Number of lines that the model was not trained with. */
  readonly untrained: number
}

/** Lines judged before yielding the thread. */
const JUDGED_AT_ONCE = 50

interface NluOptions extends Omit<ConstructorParameters<typeof Trainings>[0], 'cache'> {
  readonly read: ReadModels
  readonly storage: FileStorage
}

const isWanted = (wanted: ModelSelector) => (model: ReturnType<typeof modelsOf>[number]) =>
  typeof wanted === 'string' ? model[wanted] : model.hash === wanted.hash

const retrain = async (
  { read, work }: Pick<NluOptions, 'read' | 'work'>,
  entity: ProjectEntity,
  project: RowOf<ProjectEntity>,
) => {
  const data = await projectContent(read, entity, project.id)
  const apart = { pool: work, from: callerOf(project), signal: AbortSignal.timeout(10 * 60_000) }
  const trained = data && (await trainInPool(apart, data, () => {}))
  return trained?.ok === true ? trained.bytes : undefined
}

const dataStanding =
  (states: DataStates, evaluations: Evaluations): Nlu['dataState'] =>
  async (entity, project) => {
    const [newest] = modelsOf(project.models)
    if (newest === undefined || newest.data === '') return undefined
    const [state, evaluation] = await Promise.all([states.of(entity, project.id), evaluations.of(newest)])
    if (state === undefined || evaluation === undefined) return undefined
    return { stale: state.hash !== newest.data, untrained: untrainedLines(state, evaluation) }
  }

/** Trains a lost or damaged model again: the same data gives the same bytes. */
const modelReader = ({ read, work, storage, failed }: NluOptions, cache: ModelCache, states: DataStates) => {
  const stored = async ({ file }: ListedModel) => {
    const found = await storage.read(file).catch(error => failed(error))
    return found === undefined ? undefined : new Uint8Array(found.content)
  }
  /** Skipped when the data differs: it would give another model. */
  const trainedAgain = async (entity: ProjectEntity, project: RowOf<ProjectEntity>, { data }: ListedModel) => {
    const isSame = data === '' || (await states.of(entity, project.id))?.hash === data
    return isSame ? retrain({ read, work }, entity, project) : undefined
  }
  return async (entity: ProjectEntity, project: RowOf<ProjectEntity>, wanted: ModelSelector) => {
    const listed = modelsOf(project.models).find(isWanted(wanted))
    if (listed === undefined) return undefined
    const { hash } = listed
    const model =
      (await cache.get(hash, () => stored(listed))) ??
      (await cache.get(hash, () => trainedAgain(entity, project, listed)))
    return model === undefined ? undefined : { model, hash }
  }
}

export const openNlu = (options: NluOptions): Nlu => {
  const { read } = options
  const cache = new ModelCache()
  const evaluations = new Evaluations(options.storage)
  const states = new DataStates(options.store, read)
  const trainings = new Trainings({ ...options, cache })

  const modelOf = modelReader(options, cache, states)

  const answer = async (
    { model, hash }: { readonly model: NluModel; readonly hash: string },
    project: RowOf<ProjectEntity>,
    { text, fuzzy, now }: AskedText,
  ): Promise<NluAnswer> => {
    const began = performance.now()
    const from = callerOf(project, project.id)
    const regexMatches = await findPatterns({ pool: options.work, from }, model.header.regexes, text)
    const understanding = parseText(model, text, { fuzzy, now, regexMatches })
    const ms = Math.round((performance.now() - began) * 100) / 100
    const reasons = explainIntent(model, text, understanding.ranking[0]?.name ?? '')
    const { threshold, responses } = model.header
    const told = responses[understanding.intent ?? ''] ?? []
    return { ...understanding, reasons, threshold, responses: told, system: 'parley', model: hash, ms }
  }

  const judge: Nlu['judge'] = async (entity, project, hash, lines) => {
    const found = await modelOf(entity, project, { hash })
    if (found === undefined) return undefined
    const judged: JudgedLine[] = []
    for (const [at, { text, intent }] of lines.entries()) {
      if (at % JUDGED_AT_ONCE === 0) await setImmediate()
      const { intent: taken, confidence } = parseText(found.model, text, { fuzzy: true, now: 0, regexMatches: [] })
      judged.push({ id: '', text, intent, verdict: { intent: taken, confidence } })
    }
    return judged
  }

  return {
    judge,
    evaluation: model => evaluations.of(model),
    dataState: dataStanding(states, evaluations),
    parse: async (entity, project, asked) => {
      const found = await modelOf(entity, project, asked.model)
      return found && answer(found, project, asked)
    },
    responses: async (entity, project, wanted) => (await modelOf(entity, project, wanted))?.model.header.responses,
    admit: id => trainings.admit(id),
    setApart: (id, isApart) => trainings.setApart(id, isApart),
    trainApart: (id, started) => trainings.trainApart(id, started),
    progress: id => trainings.progress(id),
    close: async () => {
      await trainings.close()
    },
  }
}
