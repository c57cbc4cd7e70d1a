import type { NluModel } from '#domain/nlu/model.ts'
import { explainIntent, parseText, type Reason, type Understanding } from '#domain/nlu/parse-text.ts'
import { modelsOf } from '#domain/nlu-training.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import type { FileStorage } from '../storage/port.ts'
import { openPatternFinder } from './find-patterns.ts'
import { ModelCache } from './model-cache.ts'
import { type ProjectEntity, projectContent } from './project-content.ts'
import { trainApart } from './train-apart.ts'
import { Trainings } from './trainings.ts'

/** Which of a project's models: by a flag, or by its hash. */
export type WantedModel = 'production' | 'test' | { readonly hash: string }

interface AskedText {
  readonly text: string
  readonly model: WantedModel
  /** Values of lookups may be one edit away. */
  readonly fuzzy: boolean
  /** ms since 1970. */
  readonly now: number
}

/** What a model made of a text (NLU.md 5.10). */
interface NluAnswer extends Understanding {
  readonly reasons: { readonly for: readonly Reason[]; readonly against: readonly Reason[] }
  /** Below it the model says nothing. */
  readonly threshold: number
  /** What is written as answers to the intent, as they were when it was trained. */
  readonly responses: readonly string[]
  readonly system: 'parley'
  /** Hash of the model. */
  readonly model: string
  readonly ms: number
}

/** The engine that understands, as the gateway has it. */
export interface Nlu {
  /** What the model of a project makes of a text; undefined where there is no such model. */
  parse(entity: ProjectEntity, project: Row, asked: AskedText): Promise<NluAnswer | undefined>
  /** Texts that a model has as answers, by intent; undefined where there is no such model. */
  responses(
    entity: ProjectEntity,
    project: Row,
    wanted: WantedModel,
  ): Promise<Readonly<Record<string, readonly string[]>> | undefined>
  /** Whether another training is taken. */
  admit(id: string): boolean
  progress(id: string): number | undefined
  close(): Promise<void>
}

interface NluOptions extends Omit<ConstructorParameters<typeof Trainings>[0], 'cache'> {
  readonly read: ReadModels
  readonly storage: FileStorage
}

const isWanted = (wanted: WantedModel) => (model: ReturnType<typeof modelsOf>[number]) =>
  typeof wanted === 'string' ? model[wanted] : model.hash === wanted.hash

/**
 * Bytes of a model: as they are stored, else trained again from the project as it is. The cache takes them only where
 * they have the model's hash.
 */
const modelLoader =
  ({ read, storage, failed }: NluOptions, entity: ProjectEntity, project: string, file: string) =>
  async () => {
    const stored = await storage.read(file).catch(error => failed(error))
    if (stored !== undefined) return new Uint8Array(stored.content)
    return retrain(read, entity, project)
  }

const retrain = async (read: ReadModels, entity: ProjectEntity, project: string) => {
  const data = await projectContent(read, entity, project)
  const trained = data && (await trainApart(data, () => {}, AbortSignal.timeout(10 * 60_000)))
  return trained?.ok === true ? trained.bytes : undefined
}

/** A model that is lost or damaged is trained again, which gives the same bytes for the same data. */
export const openNlu = (options: NluOptions): Nlu => {
  const { read } = options
  const cache = new ModelCache()
  const patterns = openPatternFinder()
  const trainings = new Trainings({ ...options, cache })

  const modelOf = async (entity: ProjectEntity, project: Row, wanted: WantedModel) => {
    const listed = modelsOf(project.models).find(isWanted(wanted))
    if (listed === undefined) return undefined
    const { hash, file } = listed
    const model =
      (await cache.get(hash, modelLoader(options, entity, project.id, file))) ??
      (await cache.get(hash, () => retrain(read, entity, project.id)))
    return model === undefined ? undefined : { model, hash }
  }

  const answer = async (model: NluModel, hash: string, { text, fuzzy, now }: AskedText): Promise<NluAnswer> => {
    const began = performance.now()
    const regexMatches = await patterns.find(model.header.regexes, text)
    const understanding = parseText(model, text, { fuzzy, now, regexMatches })
    const ms = Math.round((performance.now() - began) * 100) / 100
    const reasons = explainIntent(model, text, understanding.ranking[0]?.name ?? '')
    const { threshold, responses } = model.header
    const told = responses[understanding.intent ?? ''] ?? []
    return { ...understanding, reasons, threshold, responses: told, system: 'parley', model: hash, ms }
  }

  return {
    parse: async (entity, project, asked) => {
      const found = await modelOf(entity, project, asked.model)
      return found && answer(found.model, found.hash, asked)
    },
    responses: async (entity, project, wanted) => (await modelOf(entity, project, wanted))?.model.header.responses,
    admit: id => trainings.admit(id),
    progress: id => trainings.progress(id),
    close: async () => {
      patterns.close()
      await trainings.close()
    },
  }
}
