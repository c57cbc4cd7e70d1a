import type { CompiledFlow, Release, ReleasedHandler } from '#domain/conversation/release.ts'

type PartKind = 'dialog' | 'handler'

/** Thrown when a turn reaches a dialog or handler that is not loaded; the turn is run again after the load. */
export class MissingPart extends Error {
  readonly kind: PartKind
  readonly id: string

  constructor(kind: PartKind, id: string) {
    super(`${kind} ${id} is not loaded`)
    this.kind = kind
    this.id = id
  }
}

/** Loaded parts; a part that was not loaded yet throws instead of being absent. */
class LazyMap<T> extends Map<string, T> {
  readonly #kind: PartKind
  /** Ids that were loaded, including ids without a part. */
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

/** Source of the parts of a bot; undefined for a part that it does not have. */
export interface PartSource {
  dialog(id: string): Promise<CompiledFlow | undefined>
  handler(id: string): Promise<ReleasedHandler | undefined>
}

/** Release of a bot whose parts are compiled when a turn first reaches them. */
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

  /** Loads the current state of all loaded parts. */
  async refresh(): Promise<void> {
    await Promise.all([
      ...[...this.dialogs.asked].map(id => this.load({ kind: 'dialog', id })),
      ...[...this.handlers.asked].map(id => this.load({ kind: 'handler', id })),
    ])
  }
}
