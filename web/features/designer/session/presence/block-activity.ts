import type { TFunction } from 'i18next'
import { useEffect, useMemo, useRef } from 'react'
import type { BlockChange, BlockMention } from '#schemas/flow/summary.ts'
import { nameOf } from '#web/components/person-avatar.tsx'
import type { Moment } from '#web/entity/flow/read-revisions.ts'
import type { Translate } from '../../model/label.ts'
import { type Session, sessionsOf } from '../edit-history/edit-session.ts'
import { useRecentEdits } from '../edit-history/use-recent-edits.ts'

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
export const blockActivities = (moments: readonly Moment[], block: string): readonly BlockActivity[] =>
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

const fieldName = (field: string, type: string, t: TFunction<'designer'>, words: Translate): string => {
  if (field === 'pos' || field === 'position') return t('inspector.position')
  const last = field.split('.').at(-1) ?? field
  return words(`block:field.${type}.${field}`, {
    defaultValue: words(`block:field.${last}`, { defaultValue: last }),
  })
}

/** First names of the authors, and their action on a block of this type. */
export const blockActivityText = (
  deed: BlockActivity,
  type: string,
  t: TFunction<'designer'>,
  words: Translate,
): { readonly who: string; readonly did: string } => ({
  who: deed.session.authors.map(author => nameOf(author).split(' ')[0]).join(', '),
  did: isMove(deed)
    ? t('inspector.did_moved')
    : t(`inspector.did_${deed.kind}`, {
        fields: [...new Set(deed.fields.map(field => fieldName(field, type, t, words)))].join(', '),
      }),
})

/** Parts of a long history that are looked through before a block's last change is left to the history itself. */
const MAX_PAGES = 4

/** Last change of a block; undefined while unknown, or if it is too old to search for. */
export const useLastBlockActivity = (block: string): BlockActivity | undefined => {
  const { moments, hasOlder, busy, older } = useRecentEdits(block)
  const deed = useMemo(() => blockActivities(moments ?? [], block)[0], [moments, block])
  const asked = useRef(0)
  const unseen = moments !== undefined && deed === undefined && hasOlder && !busy
  useEffect(() => {
    if (!unseen || asked.current >= MAX_PAGES) return
    asked.current += 1
    older()
  }, [unseen, older])
  return deed
}
