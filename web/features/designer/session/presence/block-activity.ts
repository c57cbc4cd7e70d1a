import type { TFunction } from 'i18next'
import { useEffect, useMemo, useRef } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import type { BlockChange, BlockMention, LinkMention } from '#schemas/flow/summary.ts'
import { nameOf } from '#web/components/person-avatar.tsx'
import { MARK_KINDS, type MarkKind, type Moment } from '#web/entity/flow/read-revisions.ts'
import type { Translate } from '../../model/label.ts'
import { mentionWords } from '../../model/link-words.ts'
import { type Session, sessionsOf } from '../edit-history/edit-session.ts'
import { useRecentEdits } from '../edit-history/use-recent-edits.ts'

/** Activity of a block by the kind of change of its outgoing links. */
const LINKED = { added: 'linked', changed: 'relinked', removed: 'unlinked' } as const

/** Changes of one block in one session. */
export interface BlockActivity {
  readonly session: Session
  readonly kind: MarkKind | (typeof LINKED)[keyof typeof LINKED]
  /** Changes: `title`, `pos`, or a property's dotted name. */
  readonly fields: readonly string[]
  /** Links that leave the block, where the activity is about these. */
  readonly links: readonly LinkMention[]
}

const touches = ({ summary }: Moment, block: string) =>
  MARK_KINDS.some(
    kind => summary[kind].some(({ id }) => id === block) || summary.links[kind].some(({ from }) => from === block),
  )

/** Links of a block that came or went with it say nothing of their own. */
const linkActivities = (session: Session, block: string): readonly BlockActivity[] => {
  const { added, removed, links } = session.summary
  if ([...added, ...removed].some(({ id }) => id === block)) return []
  return MARK_KINDS.flatMap(kind => {
    const leaving = links[kind].filter(({ from }) => from === block)
    return leaving.length === 0 ? [] : [{ session, kind: LINKED[kind], fields: [], links: leaving }]
  })
}

/** Changes of a block, newest first; one entry per session and kind. */
export const blockActivities = (moments: readonly Moment[], block: string): readonly BlockActivity[] =>
  sessionsOf(moments.filter(moment => touches(moment, block)))
    .flatMap((session): readonly BlockActivity[] => [
      ...MARK_KINDS.flatMap(kind =>
        session.summary[kind].flatMap((touched: BlockMention | BlockChange) =>
          touched.id === block ? [{ session, kind, fields: 'fields' in touched ? touched.fields : [], links: [] }] : [],
        ),
      ),
      ...linkActivities(session, block),
    ])
    .reverse()

/** Whether a block was moved, and nothing else. */
export const isMove = ({ kind, fields }: BlockActivity): boolean =>
  kind === 'changed' && fields.length > 0 && fields.every(field => field === 'pos' || field === 'position')

const fieldName = (field: string, type: string, t: TFunction<'designer'>, words: Translate): string => {
  if (field === 'pos' || field === 'position') return t('inspector.position')
  if (field === 'outputs') return t('inspector.outputs')
  const last = field.split('.').at(-1) ?? field
  return words(`block:field.${type}.${field}`, {
    defaultValue: words(`block:field.${last}`, { defaultValue: last }),
  })
}

/** Links that are named one by one. */
const MAX_LINKS = 3

const linksText = (links: readonly LinkMention[], flow: FlowModel, words: Translate): string => {
  const named = links.slice(0, MAX_LINKS).map(link => mentionWords(flow, link, words, { isShort: true }))
  return [...named, ...(links.length > MAX_LINKS ? ['…'] : [])].join(', ')
}

interface ActivityPlace {
  /** As it is drawn now: names of the ends of links come from it. */
  readonly flow: FlowModel
  /** Of the block. */
  readonly type: string
}

/** First names of the authors, and their action on a block. */
export const blockActivityText = (
  deed: BlockActivity,
  { flow, type }: ActivityPlace,
  t: TFunction<'designer'>,
  words: Translate,
): { readonly who: string; readonly did: string } => ({
  who: deed.session.authors.map(author => nameOf(author).split(' ')[0]).join(', '),
  did: isMove(deed)
    ? t('inspector.did_moved')
    : t(`inspector.did_${deed.kind}`, {
        fields: [...new Set(deed.fields.map(field => fieldName(field, type, t, words)))].join(', '),
        links: linksText(deed.links, flow, words),
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
