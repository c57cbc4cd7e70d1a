import { deserialize, serialize } from 'node:v8'

/** Values in serialized batches: a message copies their bytes, and the main thread reads one batch in one slice. */
export interface Packed<T> {
  readonly count: number
  readonly batches: readonly Uint8Array[]
  /** Type of the values; has no value. */
  readonly of?: T
}

/** The batches one by one; a batch is read when it is taken. */
export function* batchesOf<T>({ batches }: Packed<T>): Generator<readonly T[]> {
  for (const batch of batches) yield deserialize(batch) as readonly T[]
}

export const unpacked = <T>(values: Packed<T>): readonly T[] => [...batchesOf(values)].flat()

/** Packs values that arrive one after the other. */
export class Packer<T> {
  readonly #together: number
  readonly #batches: Uint8Array[]
  #rest: T[] = []
  #count: number

  constructor(together: number, begin: Packed<T> = { count: 0, batches: [] }) {
    this.#together = together
    this.#batches = [...begin.batches]
    this.#count = begin.count
  }

  get count(): number {
    return this.#count
  }

  push(values: readonly T[]): void {
    this.#count += values.length
    for (const value of values) if (this.#rest.push(value) === this.#together) this.#flush()
  }

  /** Appends packed values. */
  append({ count, batches }: Packed<T>): void {
    this.#flush()
    this.#count += count
    this.#batches.push(...batches)
  }

  values(): Packed<T> {
    this.#flush()
    return { count: this.#count, batches: [...this.#batches] }
  }

  #flush(): void {
    if (this.#rest.length > 0) this.#batches.push(serialize(this.#rest))
    this.#rest = []
  }
}

export const packed = <T>(values: readonly T[], together: number): Packed<T> => {
  const packer = new Packer<T>(together)
  packer.push(values)
  return packer.values()
}
