import type { Evaluation } from '#domain/nlu/evaluation.ts'
import type { ListedModel } from '#domain/nlu-training.ts'
import type { FileStorage } from '../storage/port.ts'

/** Cached evaluations. */
const MAX_KEPT = 8

/** Evaluations of trainings, cached by their file. */
export class Evaluations {
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
