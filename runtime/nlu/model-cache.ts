import { webcrypto } from 'node:crypto'
import { type NluModel, openModel } from '#domain/nlu/model.ts'

/** Maximum bytes of open models. */
const MAX_BYTES = 400 * 1024 * 1024

interface CachedModel {
  readonly model: NluModel
  readonly size: number
}

/** SHA-256 of bytes, hex, computed off the event loop. */
const hashOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')

/**
 * Open models by their hash; the least recently used are evicted first. `load` reads the bytes of a model that is not
 * open; undefined when they are unavailable.
 */
export class ModelCache {
  readonly #models = new Map<string, CachedModel>()
  readonly #loading = new Map<string, Promise<NluModel | undefined>>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** The bytes must match the hash; it is not verified. */
  add(hash: string, bytes: Uint8Array<ArrayBuffer>): NluModel {
    const known = this.#models.get(hash)
    if (known !== undefined) return known.model
    const model = openModel(bytes)
    this.#models.set(hash, { model, size: bytes.length })
    this.#bytes += bytes.length
    for (const [other, { size }] of this.#models) {
      if (this.#bytes <= this.#maxBytes || other === hash) break
      this.#models.delete(other)
      this.#bytes -= size
    }
    return model
  }

  async get(hash: string, load: () => Promise<Uint8Array<ArrayBuffer> | undefined>): Promise<NluModel | undefined> {
    const known = this.#models.get(hash)
    if (known !== undefined) {
      this.#models.delete(hash)
      this.#models.set(hash, known)
      return known.model
    }
    const underWay = this.#loading.get(hash)
    if (underWay !== undefined) return underWay
    const loading = this.#load(hash, load).finally(() => this.#loading.delete(hash))
    this.#loading.set(hash, loading)
    return loading
  }

  async #load(hash: string, load: () => Promise<Uint8Array<ArrayBuffer> | undefined>): Promise<NluModel | undefined> {
    const bytes = await load()
    return bytes !== undefined && (await hashOf(bytes)) === hash ? this.add(hash, bytes) : undefined
  }
}
