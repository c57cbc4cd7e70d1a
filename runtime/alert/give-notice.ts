import { appendIfFirst, type Draft, endOf } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { NOTICE_GIVEN, type NoticeGiven, noticeStream } from '#schemas/events/notification.ts'
import { objectOf } from '#schemas/json.ts'
import { exclusiveDrafts } from '../log/stream-aggregate.ts'

/** Notices about one thing among which the same one is looked for. */
const COMPARED = 50

/** The event of a notice. */
export const noticeDrafts = (data: NoticeGiven): readonly Draft[] =>
  exclusiveDrafts(noticeStream(data.entity, data.id), [{ type: NOTICE_GIVEN, data }])

type Notice = Omit<NoticeGiven, 'recipients'> & {
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
    if ((await appendIfFirst(store, stream, end, noticeDrafts(data))) !== undefined) return
  }
}
