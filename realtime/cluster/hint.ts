import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { z } from 'zod'

const id = z.string().min(1).max(100)
const whole = z.int().min(0)
const kind = z.enum(['dialog', 'handler'])
const member = z.strictObject({
  user: id,
  name: z.string().max(1_000),
  color: z.string().max(20),
  mayEdit: z.boolean(),
})

/** An answer that needs more messages is not sent. */
export const MAX_ANSWER_PARTS = 16

/** Messages between nodes. `bytes` of an edit is its update, of awareness an awareness update. */
const hintSchema = z.discriminatedUnion('kind', [
  /** A room's edit was stored at `revision`. Without bytes it is to be read from the log. */
  z.strictObject({
    kind: z.literal('edit'),
    revision: whole.min(1),
    hash: z.string().max(100),
    bindings: z.array(z.strictObject({ client: whole, user: id })).max(100_000),
  }),
  /** Cursors of people in a room. */
  z.strictObject({ kind: z.literal('awareness') }),
  /** Asks nodes with this room open for their cursors. */
  z.strictObject({ kind: z.literal('query') }),
  /** Members of a flow's room on the sender. */
  z.strictObject({
    kind: z.literal('present'),
    flow: z.strictObject({ kind, id }),
    members: z.array(member).max(10_000),
  }),
  /** The sending node lives, and these services of these bots with it. An empty list: of this bot it has none. */
  z.strictObject({
    kind: z.literal('services'),
    node: z.string().max(200),
    version: z.string().max(50),
    bots: z
      .array(
        z.strictObject({
          bot: id,
          services: z.array(z.strictObject({ systemid: z.string().max(200), status: z.string().max(50) })).max(1_000),
        }),
      )
      .max(1_000),
  }),
  /** Asks to reopen a bot's failed services. */
  z.strictObject({ kind: z.literal('fix'), bot: id }),
  /** Asks all nodes for their services. */
  z.strictObject({ kind: z.literal('services?') }),
  /** Whether the running bots of a node follow what is stored of an entity's thing up to a position of the log. */
  z.strictObject({
    kind: z.literal('taken?'),
    ask: id,
    position: z.string().max(200),
    entity: z.enum(['nlusettings', 'nluproject', 'brain', 'agentchannel']),
    id,
  }),
  /** Matching bots of the sending node; `more`: the next message has the rest. */
  z.strictObject({ kind: z.literal('taken'), ask: id, bots: z.array(id).max(1_000), more: z.boolean() }),
  /** Models that the sending node trains, or that wait there for it; `started` names one training of the project. */
  z.strictObject({
    kind: z.literal('training'),
    trainings: z.array(z.strictObject({ id, started: z.string().max(100) })).max(100),
  }),
  /** The sending node runs turns of conversations, and claims them by this name. */
  z.strictObject({ kind: z.literal('talking'), node: id }),
  /** Users at sockets of the desk on the sending node, and ms since the last sign of each. */
  z.strictObject({
    kind: z.literal('deskusers'),
    users: z.array(z.strictObject({ user: id, phone: z.boolean(), ago: whole })).max(1_000),
  }),
  /** Users of the sending node who look at a chat of the desk now. */
  z.strictObject({
    kind: z.literal('deskviews'),
    conversation: id,
    users: z.array(z.strictObject({ user: id, name: z.string().max(1_000) })).max(1_000),
  }),
  /** An agent writes, or no longer, in a chat of the desk. */
  z.strictObject({
    kind: z.literal('desktyping'),
    conversation: id,
    user: id,
    name: z.string().max(1_000),
    on: z.boolean(),
  }),
  /** The person of a chat at the desk writes. */
  z.strictObject({ kind: z.literal('persontyping'), conversation: id }),
  /** The sending node lives, and has this display name. */
  z.strictObject({ kind: z.literal('here'), name: z.string().max(200) }),
  /** A question of the sending node, whose content are the bytes. */
  z.strictObject({ kind: z.literal('ask'), ask: id, about: z.string().max(50) }),
  /** An answer, or one of its parts: the bytes of all of them are its content. */
  z.strictObject({ kind: z.literal('answer'), ask: id, part: whole, parts: whole.min(1).max(MAX_ANSWER_PARTS) }),
  /** Calls that the sending node has counted since its last message, by limit and hashed key. */
  z.strictObject({
    kind: z.literal('counts'),
    counts: z
      .array(
        z.strictObject({ limit: z.string().max(50), key: z.string().max(50), calls: whole.min(1).max(1_000_000_000) }),
      )
      .max(1_000),
  }),
  /** A request with an API token came to the sending node. */
  z.strictObject({
    kind: z.literal('tokenused'),
    use: z.strictObject({ token: id, at: z.iso.datetime(), from: z.string().max(100) }),
  }),
  /** The sending node lives. */
  z.strictObject({ kind: z.literal('beat') }),
  /** The sending node knows nothing yet: everyone says everything. */
  z.strictObject({ kind: z.literal('hello') }),
  /** The sending node goes. */
  z.strictObject({ kind: z.literal('bye') }),
])

export type Hint = z.infer<typeof hintSchema>

const NOTHING = new Uint8Array()

export const writeHint = (hint: Hint, bytes: Uint8Array = NOTHING): Uint8Array => {
  const encoder = encoding.createEncoder()
  encoding.writeVarString(encoder, JSON.stringify(hint))
  encoding.writeVarUint8Array(encoder, bytes)
  return encoding.toUint8Array(encoder)
}

/** Undefined for anything else than a hint. */
export const readHint = (message: Uint8Array): { readonly hint: Hint; readonly bytes: Uint8Array } | undefined => {
  try {
    const decoder = decoding.createDecoder(message)
    const hint = hintSchema.parse(JSON.parse(decoding.readVarString(decoder)))
    const bytes = decoding.readVarUint8Array(decoder)
    return decoding.hasContent(decoder) ? undefined : { hint, bytes }
  } catch {
    return undefined
  }
}
