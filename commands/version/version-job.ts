import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { itemsOf } from '#domain/field/stored-items.ts'
import { fieldErrors } from '#domain/field/validate.ts'
import { flowExcess, parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import {
  type CarriedFlow,
  carriedFlow,
  mapThings,
  type ThingInFile,
  thingsIn,
  thingsOf,
  type VersionPath,
} from '#domain/version.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { isObject, readJsonBody } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { type VersionFile, type VersionThing, versionFileSchema } from '#schemas/version-file.ts'
import { VERSION_ROOT, versionedChildren, versionMember } from '#schemas/versioned.ts'
import { flowError, scriptErrors } from '../flow/read-flow-file.ts'
import { PACKED_PIECE, splitBytes } from '../packed-text.ts'
import { variableScope } from '../upcasters/upcast.ts'

/** Converts a version file to the present format. Any other input stays unchanged. */
const upcastFile = (file: Json): Json => {
  if (!isObject(file) || !Array.isArray(file.variables)) return file
  const variables = file.variables.map(thing => (isObject(thing) ? variableScope({ fields: thing }).fields : thing))
  return { ...file, variables } as JsonObject
}

const MAX_ERRORS = 50

/** A version file that was found to be one. */
interface ReadVersionFile {
  readonly name: string
  readonly description: string | null
  /** The checked file as JSON. */
  readonly text: string
}

/** Reads the bytes of a version file, its flows included; anything else is `version.format` with where. */
export const readVersionFile = (bytes: Uint8Array): Result<ReadVersionFile> => {
  const json = readJsonBody(bytes)
  if (!json.ok || json.value === undefined) {
    const errors = json.ok ? undefined : json.refusal.errors
    return refused('version.format', { errors: errors ?? [{ path: '', code: 'format' }] })
  }
  const file = checkedFile(upcastFile(json.value))
  if (!file.ok) return file
  const { name, description = null } = file.value
  return accepted({ name, description, text: JSON.stringify(file.value) })
}

/** Excess content in flows of a stored version: it may be older than the limits. */
export const versionExcess = (file: VersionFile): readonly FieldError[] => {
  const errors = thingsIn(ENTITIES, file).flatMap(({ entity, thing, path }) => {
    if (entity.flow === undefined || thing.flow === undefined) return []
    const flows = flowsOf(thing, path).map(([at, flow]) =>
      under(at, flowExcess(flow as unknown as FlowFile).map(flowError)),
    )
    return [...flows.flat(), ...scriptErrorsOf(thing, path)]
  })
  return errors.slice(0, MAX_ERRORS)
}

/** The drawing of a thing and what is published of it, each with its place. */
const flowsOf = ({ flow, release }: VersionThing, path: VersionPath): readonly (readonly [VersionPath, Json])[] => {
  const [released] = itemsOf([release ?? null])
  return [
    [[...path, 'flow'], flow ?? null],
    ...(released?.flow === undefined ? [] : [[[...path, 'release', 'flow'], released.flow] as const]),
  ]
}

const scriptErrorsOf = ({ js, release }: VersionThing, path: VersionPath): readonly FieldError[] => {
  const [released] = itemsOf([release ?? null])
  return [...under(path, scriptErrors(js)), ...under([...path, 'release'], scriptErrors(released?.js))]
}

const under = (path: VersionPath, errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map(error => ({ ...error, path: [...path, ...(error.path === '' ? [] : [error.path])].join('.') }))

const checkedFile = (input: Json): Result<VersionFile> => {
  const parsed = versionFileSchema.safeParse(input)
  if (!parsed.success) {
    return refused('version.format', { errors: fieldErrors(parsed.error, input).slice(0, MAX_ERRORS) })
  }
  const errors: FieldError[] = []
  const file = mapThings(ENTITIES, parsed.data as unknown as VersionFile, (entity, thing, path) => {
    if (entity.flow === undefined) return {}
    errors.push(...scriptErrorsOf(thing, path))
    const [drawn = null, released] = flowsOf(thing, path).map(([at, given]) => {
      const flow = parseFlowFile(given)
      if (!flow.ok) errors.push(...under(at, flow.errors.map(flowError)))
      return flow.ok ? (flow.file as unknown as Json) : null
    })
    const [release] = itemsOf([thing.release ?? null])
    return { flow: drawn, ...(released === undefined ? {} : { release: { ...release, flow: released } }) }
  })
  return errors.length > 0 ? refused('version.format', { errors: errors.slice(0, MAX_ERRORS) }) : accepted(file)
}

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
