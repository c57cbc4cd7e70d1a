import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'
import type { ClientRange, Decoded } from './validate-update.ts'

/** Rounds in which structs are found that wait for others; each goes through the whole update. */
const MAX_ROUNDS = 20

export interface ApplicableUpdate {
  readonly update: Uint8Array
  /** No struct was left for later; excluded ones do not count. */
  readonly isWhole: boolean
}

/**
 * The part of an update that a document can take now without the structs of `excluded`: of each client as much as
 * builds on what the document or the part has, and the deletions of that. Undefined where that takes too long to find.
 */
export const applicableUpdate = (
  doc: Y.Doc,
  decoded: Decoded,
  excluded: readonly ClientRange[],
): ApplicableUpdate | undefined => {
  const excludedFrom = new Map(excluded.map(({ client, from }) => [client, from]))
  const ends = endsOf(doc, decoded, excludedFrom)
  if (ends === undefined) return undefined
  const end = (client: number) => ends.get(client) ?? Y.getState(doc.store, client)
  let isWhole = true
  const structs = decoded.structs.filter(({ id, length }) => {
    if (id.clock + length <= end(id.client)) return true
    isWhole &&= id.clock >= (excludedFrom.get(id.client) ?? Number.POSITIVE_INFINITY)
    return false
  })
  const deletions = new Map<number, { clock: number; len: number }[]>()
  for (const [client, ranges] of decoded.ds.clients) {
    const known = ranges.filter(({ clock, len }) => clock + len <= end(client))
    isWhole &&= known.length === ranges.length
    if (known.length > 0) deletions.set(client, known)
  }
  return { update: encoded(structs, deletions), isWhole }
}

/** Clock of each client behind its last struct that is ready. */
const endsOf = (doc: Y.Doc, { structs }: Decoded, excludedFrom: ReadonlyMap<number, number>) => {
  const ends = new Map<number, number>()
  const end = (client: number) => ends.get(client) ?? Y.getState(doc.store, client)
  for (const { id, length } of structs) {
    const isExcluded = id.clock + length > (excludedFrom.get(id.client) ?? Number.POSITIVE_INFINITY)
    if (!isExcluded && id.clock <= end(id.client)) ends.set(id.client, Math.max(end(id.client), id.clock + length))
  }
  const isKnown = (id: Y.ID | null) => id === null || id.clock < end(id.client)
  const isReady = (struct: Y.AbstractStruct) => {
    if (struct instanceof Y.Skip) return false
    if (!(struct instanceof Y.Item)) return true
    const parent = struct.parent instanceof Y.ID ? struct.parent : null
    return isKnown(struct.origin) && isKnown(struct.rightOrigin) && isKnown(parent)
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let isSettled = true
    for (const struct of structs) {
      const { client, clock } = struct.id
      if (clock >= end(client) || clock + struct.length <= Y.getState(doc.store, client) || isReady(struct)) continue
      ends.set(client, Math.max(clock, Y.getState(doc.store, client)))
      isSettled = false
    }
    if (isSettled) return ends
  }
  return undefined
}

const encoded = (
  structs: readonly Y.AbstractStruct[],
  deletions: ReadonlyMap<number, readonly { clock: number; len: number }[]>,
): Uint8Array => {
  const encoder = new Y.UpdateEncoderV1()
  const rest = encoder.restEncoder
  const sections = Map.groupBy(structs, ({ id }) => id.client)
  encoding.writeVarUint(rest, sections.size)
  for (const [client, own] of sections) {
    encoding.writeVarUint(rest, own.length)
    encoder.writeClient(client)
    encoding.writeVarUint(rest, own[0]?.id.clock ?? 0)
    for (const struct of own) struct.write(encoder, 0, 0)
  }
  encoding.writeVarUint(rest, deletions.size)
  for (const [client, ranges] of deletions) {
    encoder.resetDsCurVal()
    encoding.writeVarUint(rest, client)
    encoding.writeVarUint(rest, ranges.length)
    for (const { clock, len } of ranges) {
      encoder.writeDsClock(clock)
      encoder.writeDsLen(len)
    }
  }
  return encoder.toUint8Array()
}
