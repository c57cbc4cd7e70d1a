import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { noticeStream } from '#schemas/events/notification.ts'
import { objectOf } from '#schemas/json.ts'
import { appendIfFirst, endOf, exclusiveDrafts } from '../log/stream-aggregate.ts'

/** Notices about one thing among which the same one is looked for. */
const COMPARED = 50

interface Notice {
  readonly entity: string
  readonly id: string
  readonly message: string
  readonly kind: 'alert' | 'warn' | 'info'
  readonly params: JsonObject
  /** Names the change: a notice about it is given once, by one of the nodes that see it. */
  readonly of: string
}

/** Gives a notice of the system to the readers of an entity, once for each change. */
export const giveNotice = async (store: EventStore, { of, ...notice }: Notice): Promise<void> => {
  const stream = noticeStream(notice.entity, notice.id)
  const data = { ...notice, params: { ...notice.params, of } }
  for (;;) {
    const end = await endOf(store, stream)
    for await (const { data: given } of store.read(stream, { direction: 'backwards', limit: COMPARED }))
      if (given.message === notice.message && objectOf(given.params).of === of) return
    const drafts = exclusiveDrafts(stream, [{ type: 'NoticeGiven', data }])
    if ((await appendIfFirst(store, stream, end, drafts)) !== undefined) return
  }
}
