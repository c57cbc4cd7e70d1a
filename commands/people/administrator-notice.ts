import { randomUUID } from 'node:crypto'
import type { Lookup } from '#domain/lookup.ts'
import type { JsonObject } from '#schemas/event.ts'
import { NOTICE_GIVEN, noticeStream } from '#schemas/events/notification.ts'
import {
  appendAtEnd,
  appendIfFirst,
  derivedId,
  draft,
  endOf,
  findWrittenEvent,
  firstEventId,
} from '../pipeline/append.ts'
import type { EventStore } from '../store/port.ts'

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

interface PersonalNotice extends AdministratorNotice {
  /** Ids of users. */
  readonly recipients: readonly string[]
  /** Notices with the same value are given once. Default: it is given. */
  readonly once?: string
}

/** Notifies everybody who can administer people everywhere. */
export const notifyAdministrators = async (
  { store, lookup }: NoticeParts,
  notice: AdministratorNotice,
): Promise<void> => notifyPeople({ store }, { ...notice, recipients: await lookup.administrators() })

export const notifyPeople = async (
  { store }: Pick<NoticeParts, 'store'>,
  { entity, id, message, kind, params = {}, recipients, once }: PersonalNotice,
): Promise<void> => {
  const stream = noticeStream(entity, id)
  const seed = once === undefined ? randomUUID() : derivedId(once, 'notice')
  const author = { seed, actor: null, time: new Date().toISOString(), correlation: seed, causation: null }
  const notice = draft(author, 'notice', NOTICE_GIVEN, null, {
    entity,
    id,
    message,
    kind,
    params,
    recipients: [...recipients],
  })
  if (once === undefined) {
    await appendAtEnd(store, stream, [notice])
    return
  }
  const sole = { ...notice, id: firstEventId(seed, stream) }
  for (;;) {
    const end = await endOf(store, stream)
    if ((await findWrittenEvent(store, seed, stream)) !== undefined) return
    if ((await appendIfFirst(store, stream, end, [sole])) !== undefined) return
  }
}
