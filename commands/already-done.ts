import { entityStream } from '#schemas/events/entity.ts'
import { flowStream } from '#schemas/events/flow.ts'
import { processStream } from '#schemas/events/process.ts'
import type { Done } from './attempt.ts'
import { derivedId } from './event-id.ts'
import type { Run } from './run.ts'
import type { EventStore } from './store/port.ts'
import type { Tools } from './tools.ts'

const LOOKED_AT = 200

/** What an earlier execution of the same command wrote before it broke off: its events carry the ids of this one. */
export const alreadyDone = async (tools: Tools, { command, entity, author }: Run): Promise<Done | undefined> => {
  const { store, processes, loader } = tools
  const id = command.id === '' ? derivedId(author.seed, `${entity.name}:0`) : command.id
  const processDone = async () => {
    const begun = await writtenIn(store, author.seed, processStream(id), id)
    if (begun === undefined) return undefined
    await processes.resume()
    return { ...begun, revision: (await loader.load(entity, id, { fresh: true })).tail.revision }
  }
  return (
    (await writtenIn(store, author.seed, entityStream(entity.name, id), id)) ??
    (await writtenIn(store, author.seed, flowStream(id), id)) ??
    (await processDone())
  )
}

const writtenIn = async (store: EventStore, seed: string, stream: string, id: string): Promise<Done | undefined> => {
  const first = derivedId(seed, `${stream}:0`)
  for await (const event of store.read(stream, { direction: 'backwards', limit: LOOKED_AT })) {
    if (event.id === first) return { id, revision: event.revision, position: event.position }
  }
  return undefined
}

/** Whether the first event of a command or step is in a stream. */
export const isWritten = async (store: EventStore, seed: string, stream: string): Promise<boolean> =>
  (await writtenIn(store, seed, stream, '')) !== undefined
