import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  type CarriedFlow,
  carriedFlow,
  type ThingInFile,
  thingsIn,
  thingsOf,
  type VersionPath,
} from '#domain/version.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { VersionFile, VersionThing } from '#schemas/version-file.ts'
import { VERSION_ROOT, versionedChildren, versionMember } from '#schemas/versioned.ts'
import { PACKED_PIECE, splitBytes } from '../packed-text.ts'
import { readVersionFile, upcastFile, versionExcess } from './read-file.ts'

/** Bytes of an unpacked file. */
const MAX_BYTES = 256 * 1024 * 1024
/** Characters and bytes of a part: reading it takes some 2 ms. */
const PART = 200_000

interface CheckedHead {
  readonly name: string
  readonly description: string | null
  readonly size: number
  readonly hash: string
}

/** Some things of an opened version, in an order in which what contains comes before what it contains. */
export interface VersionFileChunk {
  readonly things: readonly (readonly [VersionPath, JsonObject])[]
  /** Bytes of drawings by their number, each in order. */
  readonly drawings: readonly (readonly [number, Uint8Array])[]
}

/** Checks a version file and passes it on, packed, piece by piece. */
export const checkVersion = (
  file: readonly Uint8Array[],
  onPiece: (packed: Uint8Array) => void,
): Result<CheckedHead> => {
  const read = readVersionFile(Buffer.concat(file))
  if (!read.ok) return read
  const { name, description, text } = read.value
  const bytes = Buffer.from(text)
  for (const piece of splitBytes(gzipSync(bytes), PACKED_PIECE)) onPiece(piece)
  return accepted({ name, description, size: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') })
}

/** Opens stored content and passes it on part by part. */
export const openVersion = (packed: readonly Uint8Array[], onPart: (part: VersionFileChunk) => void): Result<null> => {
  const text = gunzipSync(Buffer.concat(packed), { maxOutputLength: MAX_BYTES }).toString()
  const file = upcastFile(JSON.parse(text)) as unknown as VersionFile
  const errors = versionExcess(file)
  if (errors.length > 0) return refused('version.format', { errors: [...errors] })
  const parts = new Parts(onPart)
  const root: EntityDeclaration = ENTITIES[VERSION_ROOT]
  parts.add([], withoutChildren(root, file))
  for (const thing of thingsIn(ENTITIES, file)) parts.addThing(thing)
  parts.end()
  return accepted(null)
}

/** Members of an entity without its children: their lists are empty. */
const withoutChildren = (entity: EntityDeclaration, thing: VersionFile | VersionThing): JsonObject => {
  const left: Record<string, Json> = { ...thing }
  for (const child of versionedChildren(ENTITIES, entity)) {
    if (thingsOf(child, thing) === undefined) continue
    const member = versionMember(child)
    if (Array.isArray(thing[member])) left[member] = []
    else delete left[member]
  }
  return left
}

class Parts {
  readonly #onPart: (part: VersionFileChunk) => void
  #things: [VersionPath, JsonObject][] = []
  #drawings: [number, Uint8Array][] = []
  #size = 0
  #drawn = 0

  constructor(onPart: (part: VersionFileChunk) => void) {
    this.#onPart = onPart
  }

  addThing({ entity, thing, path }: ThingInFile): void {
    const { flow, js, release, ...fields } = withoutChildren(entity, thing)
    if (entity.flow === undefined || flow === undefined) {
      this.add(path, fields)
      return
    }
    const drawn = { ...fields, flow: this.#draw({ flow, js }) }
    const carried = carriedFlow(thing, true)
    const isAsDrawn = carried.flow === flow && carried.js === js
    if (carried.isReleased) this.add(path, { ...drawn, release: isAsDrawn ? {} : { flow: this.#draw(carried) } })
    else this.add(path, release === undefined ? drawn : { ...drawn, release })
  }

  /** Number of the drawing. */
  #draw({ flow, js }: Pick<CarriedFlow, 'flow' | 'js'>): number {
    const number = this.#drawn
    this.#drawn += 1
    for (const piece of splitBytes(Buffer.from(JSON.stringify({ flow, js })), PART)) {
      this.#drawings.push([number, piece])
      this.#count(piece.length)
    }
    return number
  }

  add(path: VersionPath, thing: JsonObject): void {
    this.#things.push([path, thing])
    this.#count(JSON.stringify(thing).length)
  }

  end(): void {
    this.#onPart({ things: this.#things, drawings: this.#drawings })
    this.#things = []
    this.#drawings = []
    this.#size = 0
  }

  #count(size: number): void {
    this.#size += size + 50
    if (this.#size >= PART) this.end()
  }
}
