import { type BotThing, nameOf } from '#domain/bot-folder/bot-file.ts'
import type { Base, LocalThing } from './bot-folder.ts'
import type { RemoteBot, RemoteThing } from './remote-bot.ts'

/** A thing on both sides. */
export interface Pair {
  readonly id: string
  readonly local: LocalThing | undefined
  readonly remote: RemoteThing | undefined
  /** Hash of what both had at the last pull or push. */
  readonly base: string | undefined
}

export const pairsOf = (locals: readonly LocalThing[], remote: RemoteBot, base: Base): readonly Pair[] => {
  const local = new Map(locals.flatMap(one => (one.thing.id === undefined ? [] : [[one.thing.id, one] as const])))
  const ids = new Set([...remote.keys(), ...local.keys(), ...base.keys()])
  return [...ids].sort().map(id => ({ id, local: local.get(id), remote: remote.get(id), base: base.get(id) }))
}

export const isEqual = ({ local, remote }: Pair): boolean => local?.hash === remote?.hash
/** Whether the server has something else than at the last pull or push. */
export const isNewer = ({ remote, base }: Pair): boolean => remote?.hash !== base
/** Whether the folder has something else than at the last pull or push. */
export const isEdited = ({ local, base }: Pair): boolean => local?.hash !== base

/** A difference that stops a command, as it is printed. */
export interface Conflict {
  readonly entity: string
  readonly id: string
  readonly name: string
  readonly server: 'changed' | 'removed' | 'added'
  /** Time of the newest change of its fields on the server. */
  readonly modified_at?: string
}

const thingOf = ({ local, remote }: Pair): BotThing | undefined => remote?.thing ?? local?.thing

export const conflictOf = (pair: Pair): Conflict => {
  const thing = thingOf(pair)
  const { id, remote, base } = pair
  return {
    entity: thing?.entity ?? '',
    id,
    name: thing === undefined ? id : nameOf(thing),
    server: remote === undefined ? 'removed' : base === undefined ? 'added' : 'changed',
    ...(remote === undefined ? {} : { modified_at: remote.modifiedAt }),
  }
}

export const conflictLines = (conflicts: readonly Conflict[]): string =>
  conflicts.map(({ entity, name, server }) => `  ${entity} "${name}" was ${server} on the server\n`).join('')
