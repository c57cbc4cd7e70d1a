/**
 * A model as one file: a magic word, the length of a JSON header, the header, then typed arrays that are used where they
 * lie (little endian, each from a multiple of 8 bytes on), so that loading builds nothing.
 */
const MAGIC = 0x554c4e50
const VERSION = 1
const ALIGNMENT = 8

export type Section = Int8Array | Uint8Array | Uint16Array | Int32Array | Float32Array
const KINDS = { i8: Int8Array, u8: Uint8Array, u16: Uint16Array, i32: Int32Array, f32: Float32Array } as const
type SectionKind = keyof typeof KINDS
type SectionOf<K extends SectionKind> = InstanceType<(typeof KINDS)[K]>

const kindOf = (section: Section): SectionKind => {
  if (section instanceof Int8Array) return 'i8'
  if (section instanceof Uint8Array) return 'u8'
  if (section instanceof Uint16Array) return 'u16'
  return section instanceof Int32Array ? 'i32' : 'f32'
}

const aligned = (place: number): number => Math.ceil(place / ALIGNMENT) * ALIGNMENT

type Placed = readonly [name: string, kind: SectionKind, start: number, length: number]

/** The same header and sections give the same bytes. */
export const packModel = (header: object, sections: Readonly<Record<string, Section>>): Uint8Array<ArrayBuffer> => {
  let place = 0
  const placed: Placed[] = Object.entries(sections).map(([name, section]) => {
    const start = place
    place = aligned(place + section.byteLength)
    return [name, kindOf(section), start, section.length]
  })
  const json = new TextEncoder().encode(JSON.stringify({ ...header, sections: placed }))
  const base = aligned(12 + json.length)
  const bytes = new Uint8Array(base + place)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, VERSION, true)
  view.setUint32(8, json.length, true)
  bytes.set(json, 12)
  for (const [at, section] of Object.values(sections).entries())
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), base + (placed[at]?.[2] ?? 0))
  return bytes
}

interface UnpackedModel<H> {
  readonly header: H
  section<K extends SectionKind>(name: string, kind: K): SectionOf<K>
}

/** Throws where the bytes are none of this version. Whether they are the ones that were written shows their hash. */
export const unpackModel = <H extends object>(bytes: Uint8Array<ArrayBuffer>): UnpackedModel<H> => {
  const owned = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice()
  const view = new DataView(owned.buffer, owned.byteOffset, owned.byteLength)
  if (owned.byteLength < 12 || view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== VERSION)
    throw new Error('not a model of this version')
  const length = view.getUint32(8, true)
  const header = JSON.parse(new TextDecoder().decode(owned.subarray(12, 12 + length))) as H & { sections: Placed[] }
  const base = owned.byteOffset + aligned(12 + length)
  const places = new Map(header.sections.map(section => [section[0], section]))
  return {
    header,
    section: (name, kind) => {
      const [, stored, start, count] = places.get(name) ?? []
      if (stored !== kind || start === undefined) throw new Error(`a model without ${name}`)
      return new KINDS[kind](owned.buffer, base + start, count) as SectionOf<typeof kind>
    },
  }
}
