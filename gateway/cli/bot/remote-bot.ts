import {
  type BotThing,
  declarationOf,
  FOLDER_ENTITIES,
  type FolderEntity,
  fieldsOfRow,
  fileOfThing,
} from '#domain/bot-folder/bot-file.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { parentField } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import { type ApiClient, RequestFailed } from './api-client.ts'
import { hashOf } from './bot-folder.ts'

/** A thing as the server has it now. */
export interface RemoteThing {
  readonly thing: BotThing & { readonly id: string }
  readonly hash: string
  readonly revision: number
  /** Of its flow. */
  readonly flowRevision?: number
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
  hash: hashOf(fileOfThing(thing)),
  revision: Number(row.revision),
  ...(flowRevision === undefined ? {} : { flowRevision }),
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
