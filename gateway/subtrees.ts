import type { Applied, ReadModels, Scope } from '#projections/port.ts'

/** The levels below each home level, with itself, until a level changes. */
export class Subtrees {
  readonly #read: ReadModels
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>()

  constructor(read: ReadModels) {
    this.#read = read
  }

  follow({ touched }: Pick<Applied, 'touched'>): void {
    if (touched.some(({ entity }) => entity === 'hierarchy')) this.#known.clear()
  }

  of(home: string, scope: Scope): Promise<ReadonlySet<string>> {
    const known = this.#known.get(home)
    if (known !== undefined) return known
    const asked = this.#read.levels(scope).then(levels => new Set([home, ...levels.map(level => level.id)]))
    this.#known.set(home, asked)
    asked.catch(() => this.#known.delete(home))
    return asked
  }
}
