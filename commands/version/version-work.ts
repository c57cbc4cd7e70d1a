import type { CarriedFlow } from '#domain/version.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { VersionFile } from '#schemas/version-file.ts'
import type { PackedText, Pieces } from '../packed-text.ts'
import { checkVersion, openVersion, type VersionFileChunk } from './version-job.ts'

/** A version file that was found to be one. */
interface CheckedVersion extends PackedText {
  readonly name: string
  readonly description: string | null
}

/** The content of a version, its drawings unparsed. */
export interface OpenedVersion {
  /** The file. `flow` of a thing and of its `release` is the number of a drawing; `js` is left out. */
  readonly file: VersionFile
  /** JSON of `flow` and `js`, by the number of the drawing; that of a `release` has both. */
  readonly drawings: readonly Pieces[]
}

/** Origin of the work: bots of levels take turns. */
interface VersionCaller {
  readonly level: string
  readonly bot: string
}

/** Work on whole version files. */
export interface VersionWork {
  /** Checks an uploaded file and packs it. */
  check(file: Pieces, from: VersionCaller): Promise<Result<CheckedVersion>>
  /** Opens stored content. Refused when it holds larger flows than a flow may be: it may be older than the limits. */
  open(stored: Pick<PackedText, 'packed' | 'size'>, from: VersionCaller): Promise<Result<OpenedVersion>>
}

/** The drawing of a thing or the one that it carries; undefined where it has none. */
export const drawingOf = ({ drawings }: OpenedVersion, { flow }: Pick<CarriedFlow, 'flow'>): Pieces | undefined =>
  typeof flow === 'number' ? drawings[flow] : undefined

type Changeable = { [member: string | number]: unknown }

/** Puts the parts of an opened version together. */
export class VersionFileAssembler {
  #file: Changeable = {}
  readonly #drawings: Uint8Array[][] = []

  add({ things, drawings }: VersionFileChunk): void {
    for (const [path, thing] of things) this.#place(path, thing)
    for (const [at, bytes] of drawings) {
      const pieces = this.#drawings[at] ?? []
      pieces.push(bytes)
      this.#drawings[at] = pieces
    }
  }

  end(): OpenedVersion {
    return { file: this.#file as unknown as VersionFile, drawings: this.#drawings }
  }

  #place(path: VersionFileChunk['things'][number][0], thing: JsonObject): void {
    const last = path.at(-1)
    if (last === undefined) {
      this.#file = { ...thing }
      return
    }
    const parent = path.slice(0, -1).reduce<Changeable>((at, step) => at[step] as Changeable, this.#file)
    parent[last] = { ...thing }
  }
}

/** Work on the thread of the caller. */
export const INLINE_VERSION_WORK: VersionWork = {
  async check(file) {
    const packed: Uint8Array[] = []
    const checked = checkVersion(file, piece => packed.push(piece))
    return checked.ok ? { ok: true, value: { ...checked.value, packed } } : checked
  },
  async open({ packed }) {
    const parts = new VersionFileAssembler()
    const opened = openVersion(packed, part => parts.add(part))
    return opened.ok ? { ok: true, value: parts.end() } : opened
  },
}
