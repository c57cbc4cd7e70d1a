import type { CompiledFlow, Release, ReleasedHandler } from '#domain/conversation/release.ts'

type PartKind = 'dialog' | 'handler'

/** A turn came to a dialog or handler that is not loaded yet; it is run again once it is. */
export class MissingPart extends Error {
  readonly kind: PartKind
  readonly id: string

  constructor(kind: PartKind, id: string) {
    super(`${kind} ${id} is not loaded`)
    this.kind = kind
    this.id = id
  }
}

/** Holds what was loaded; what was not yet is missing rather than absent. */
class LazyMap<T> extends Map<string, T> {
  readonly #kind: PartKind
  /** Ids that were loaded, those without a part as well. */
  readonly asked = new Set<string>()

  constructor(kind: PartKind) {
    super()
    this.#kind = kind
  }

  put(id: string, part: T | undefined): void {
    this.asked.add(id)
    if (part === undefined) this.delete(id)
    else this.set(id, part)
  }

  override get(id: string): T | undefined {
    if (!this.asked.has(id)) throw new MissingPart(this.#kind, id)
    return super.get(id)
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined
  }
}

/** Where the parts of a bot come from; undefined for what it does not have. */
export interface PartSource {
  dialog(id: string): Promise<CompiledFlow | undefined>
  handler(id: string): Promise<ReleasedHandler | undefined>
}

/** What a bot runs, each part compiled when a turn first comes to it. */
export class LazyRelease implements Release {
  readonly dialogs = new LazyMap<CompiledFlow>('dialog')
  readonly handlers = new LazyMap<ReleasedHandler>('handler')
  readonly #source: PartSource

  constructor(source: PartSource) {
    this.#source = source
  }

  async load({ kind, id }: Pick<MissingPart, 'kind' | 'id'>): Promise<void> {
    if (kind === 'dialog') this.dialogs.put(id, await this.#source.dialog(id))
    else this.handlers.put(id, await this.#source.handler(id))
  }

  /** What was loaded, as it is now. */
  async refresh(): Promise<void> {
    await Promise.all([
      ...[...this.dialogs.asked].map(id => this.load({ kind: 'dialog', id })),
      ...[...this.handlers.asked].map(id => this.load({ kind: 'handler', id })),
    ])
  }
}
