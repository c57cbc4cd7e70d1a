import {
  type BotThing,
  declarationOf,
  FOLDER_ENTITIES,
  type FolderEntity,
  fieldsOfRow,
  nameOf,
} from '#domain/bot-folder/bot-file.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { parentField } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import { type ApiClient, RequestFailed } from './api-client.ts'
import { type Base, changedFields, type Hashes, hashesOf, type LocalThing } from './bot-folder.ts'

/** A thing as the server has it now. */
export interface RemoteThing {
  readonly thing: BotThing & { readonly id: string }
  readonly hashes: Hashes
  readonly revision: number
  /** Of its flow. */
  readonly flowRevision?: number
  /** Whether the published drawing is older than the draft; absent without a published one. */
  readonly isModified?: boolean
  readonly modifiedAt: string
}

export type RemoteBot = ReadonlyMap<string, RemoteThing>

/** Requests at once. */
const CONCURRENCY = 4

const inTurns = async <T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at] as T)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return results
}

const remoteThing = (thing: RemoteThing['thing'], row: JsonObject, flowRevision?: number): RemoteThing => ({
  thing,
  hashes: hashesOf(thing),
  revision: Number(row.revision),
  ...(flowRevision === undefined ? {} : { flowRevision }),
  ...(row.published === true ? { isModified: row.modified === true } : {}),
  modifiedAt: textAt(row, 'modified_at'),
})

const idOf = (row: JsonObject): string => {
  const id = textAt(row, 'id')
  if (/^[\w-]{1,200}$/.test(id)) return id
  throw new RequestFailed('The server answered with an id that is none.', 200, 'id')
}

const withFlow = async (api: ApiClient, entity: FolderEntity, row: JsonObject): Promise<RemoteThing> => {
  const id = idOf(row)
  const { body, revision = 0 } = await api.get(`/${entity}/${id}/flow`)
  const parsed = parseFlowFile(body)
  if (!parsed.ok) throw new RequestFailed(`The flow of ${entity} ${id} cannot be read.`, 200, 'flow.format')
  const drawn = { flow: parsed.file, ...(entity === 'handler' ? { js: textAt(body, 'js') } : {}) }
  const thing = { entity, id, task: textAt(row, 'dialogtask'), fields: fieldsOfRow(entity, row), ...drawn }
  return remoteThing(thing, row, revision)
}

/** Everything of a bot that its folder has. @throws RequestFailed */
export const readRemoteBot = async (api: ApiClient, bot: string): Promise<RemoteBot> => {
  const { body: root } = await api.get(`/bot/${encodeURIComponent(bot)}`)
  const found: RemoteThing[] = [remoteThing({ entity: 'bot', id: idOf(root), fields: fieldsOfRow('bot', root) }, root)]
  const tasks: JsonObject[] = []
  for (const { name } of FOLDER_ENTITIES) {
    const parent = parentField(declarationOf(name))
    if (parent === undefined) continue
    if (parent === 'dialogtask') {
      const lists = await inTurns(tasks, task => api.list(name, { dialogtask: idOf(task) }))
      found.push(...(await inTurns(lists.flat(), row => withFlow(api, name, row))))
      continue
    }
    const rows = await api.list(name, { bot })
    if (name === 'dialogtask') tasks.push(...rows)
    found.push(...rows.map(row => remoteThing({ entity: name, id: idOf(row), fields: fieldsOfRow(name, row) }, row)))
  }
  return new Map(found.map(remote => [remote.thing.id, remote]))
}

/** A thing on both sides. */
export interface Pair {
  readonly id: string
  readonly local: LocalThing | undefined
  readonly remote: RemoteThing | undefined
  /** Of what both had at the last pull or push. */
  readonly base: Hashes | undefined
}

export const pairsOf = (locals: readonly LocalThing[], remote: RemoteBot, base: Base): readonly Pair[] => {
  const local = new Map(locals.flatMap(one => (one.thing.id === undefined ? [] : [[one.thing.id, one] as const])))
  const ids = new Set([...remote.keys(), ...local.keys(), ...base.keys()])
  return [...ids].sort().map(id => ({ id, local: local.get(id), remote: remote.get(id), base: base.get(id) }))
}

export const isEqual = ({ local, remote }: Pair): boolean => local?.hash === remote?.hashes.hash

/**
 * Whether the server has the fields of the folder and the drawing of the last pull or push: a push was interrupted
 * between the two.
 */
const isHalfPushed = ({ local, remote, base }: Pair): boolean =>
  local !== undefined &&
  remote?.hashes.flow !== undefined &&
  remote.hashes.flow === base?.flow &&
  changedFields(remote.thing, local.thing).length === 0

/** Whether the server has something that the folder has not seen. */
export const isNewer = (pair: Pair): boolean => pair.remote?.hashes.hash !== pair.base?.hash && !isHalfPushed(pair)
/** Whether the folder has something else than at the last pull or push. */
export const isEdited = ({ local, base }: Pair): boolean => local?.hash !== base?.hash

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
