import * as encoding from 'lib0/encoding'
import * as Y from 'yjs'

interface Place {
  readonly origin?: Y.ID
  readonly right?: Y.ID
  readonly parent?: string | Y.ID
  readonly key?: string
}

/** A struct as no client of Yjs has to make it. */
export const crafted = (client: number, clock: number, content: Y.Item['content'], place: Place): Y.Item =>
  new Y.Item(
    Y.createID(client, clock),
    null,
    place.origin ?? null,
    null,
    place.right ?? null,
    // The encoding of an item without neighbours holds the name of a share or the id of a type.
    (place.parent ?? null) as unknown as Y.Item['parent'],
    place.key ?? null,
    content,
  )

type Range = readonly [clock: number, length: number]

/** An update of these structs and deleted ranges, in just this order. */
export const craftedUpdate = (
  structs: readonly Y.AbstractStruct[],
  deleted: ReadonlyMap<number, readonly Range[]> = new Map(),
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
  encoding.writeVarUint(rest, deleted.size)
  for (const [client, ranges] of deleted) {
    encoding.writeVarUint(rest, client)
    encoding.writeVarUint(rest, ranges.length)
    for (const range of ranges) for (const value of range) encoding.writeVarUint(rest, value)
  }
  return encoder.toUint8Array()
}
