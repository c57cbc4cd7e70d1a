import { entityStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import type { Done } from './attempt.ts'
import { derivedId } from './event-id.ts'
import type { Run } from './run.ts'
import type { EventStore } from './store/port.ts'
import type { Tools } from './tools.ts'

const LOOKED_AT = 200

/** What an earlier execution of the same command wrote before it broke off: its events carry the ids of this one. */
export const alreadyDone = async ({ store }: Tools, { command, entity, author }: Run): Promise<Done | undefined> => {
  const id = command.id === '' ? derivedId(author.seed, `${entity.name}:0`) : command.id
  return (
    (await writtenIn(store, author.seed, entityStream(entity.name, id), id)) ??
    (await writtenIn(store, author.seed, flowStream(id), id))
  )
}

const writtenIn = async (store: EventStore, seed: string, stream: string, id: string): Promise<Done | undefined> => {
  const first = derivedId(seed, `${stream}:0`)
  for await (const event of store.read(stream, { direction: 'backwards', limit: LOOKED_AT })) {
    if (event.id === first) return { id, revision: event.revision, position: event.position }
  }
  return undefined
}
