import { randomUUID } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import type { JsonObject } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

interface AdministratorNotice {
  readonly entity: string
  readonly id: string
  readonly message: string
  readonly kind: 'alert' | 'warn'
  readonly params?: JsonObject
}

interface NoticeParts {
  readonly store: EventStore
  readonly lookup: Pick<Lookup, 'administrators' | 'reached'>
}

const endOf = async (store: EventStore, stream: string): Promise<Tail> => {
  for await (const { revision, hash } of store.read(stream, { direction: 'backwards', limit: 1 }))
    return { revision, hash }
  return NO_STREAM
}

/** Notifies everybody who can administer people everywhere. */
export const notifyAdministrators = async (
  { store, lookup }: NoticeParts,
  { entity, id, message, kind, params = {} }: AdministratorNotice,
): Promise<void> => {
  const recipients = [...(await lookup.administrators())]
  const stream = noticeStream(entity, id)
  const seed = randomUUID()
  const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
  const notice = draft(author, 'notice', 'NoticeGiven', null, { entity, id, message, kind, params, recipients })
  for (;;) {
    try {
      await append(store, stream, await endOf(store, stream), [notice])
      return
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}
