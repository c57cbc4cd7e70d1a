import type { BlockChange, BlockMention } from '#schemas/flow/summary.ts'
import type { Moment } from '#web/entity/flow/flow-revision.ts'
import { type Session, sessionsOf } from '../edit-history/edit-session.ts'

const KINDS = ['added', 'changed', 'removed'] as const

/** Changes of one block in one session. */
export interface BlockActivity {
  readonly session: Session
  readonly kind: (typeof KINDS)[number]
  /** Changes: `title`, `pos`, or a property's dotted name. */
  readonly fields: readonly string[]
}

const touches = ({ summary }: Moment, block: string) => KINDS.some(kind => summary[kind].some(({ id }) => id === block))

/** Changes of a block, newest first; one entry per session and kind. */
export const deedsOf = (moments: readonly Moment[], block: string): readonly BlockActivity[] =>
  sessionsOf(moments.filter(moment => touches(moment, block)))
    .flatMap(session =>
      KINDS.flatMap(kind =>
        session.summary[kind].flatMap((touched: BlockMention | BlockChange) =>
          touched.id === block ? [{ session, kind, fields: 'fields' in touched ? touched.fields : [] }] : [],
        ),
      ),
    )
    .reverse()

/** Whether a block was moved, and nothing else. */
export const isMove = ({ kind, fields }: BlockActivity): boolean =>
  kind === 'changed' && fields.length > 0 && fields.every(field => field === 'pos' || field === 'position')
