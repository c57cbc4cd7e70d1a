import { Button, HStack } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import { History, MessagesSquare, Pencil, RotateCcw, TrendingDown } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { useDesigner } from '#web/features/designer/session/designer.ts'
import { durationOf, isoDayOf, momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { shownTitle, typeName } from '../model/block-appearance.ts'
import { type Dropoff, daysBetween, funnelsOf, topDropoffBlocks, trendOf } from './funnel.ts'
import { useNumbers } from './use-funnel.ts'

type Worsened = Dropoff['worsened'][number]

/** Brings the block back as it was in the revision before; the way back is the same with the present one. */
const useBringBlockBack = ({ block, from }: Worsened) => {
  const { t } = useTranslation('funnel')
  const { address } = useDesigner()
  const restore = (revision: number) =>
    http.post('/{kind}/{id}/flow/restore', {
      params: { kind: address.kind, id: address.id },
      body: { revision, blocks: [block] },
    })
  const failed = (error: Error) => notice.toast(failureOf(error, t('worse.failed')), { tone: 'danger' })
  return useMutation({
    mutationFn: () => restore(from),
    onSuccess: ({ revision }) => {
      const undo = () => void restore(revision - 1).catch(failed)
      notice.snack(t('worse.restored', { revision: from }), {
        tone: 'positive',
        action: { label: t('worse.undo'), run: undo },
      })
    },
    onError: failed,
  })
}

/** Since when a block loses more people, who changed it then, and the way back. */
const WorsenedNote = ({ worsened }: { readonly worsened: Worsened }) => {
  const { t } = useTranslation('funnel')
  const { shareOf, countOf } = useNumbers()
  const { address, mayEdit } = useDesigner()
  const restore = useBringBlockBack(worsened)
  const { block, revision, since, from, was, is, edit } = worsened
  const share = ({ entered, lost }: Worsened['was']) =>
    lost === null || entered === null || entered === 0 ? countOf(null) : shareOf(lost / entered)
  const [author] = edit?.authors ?? []
  return (
    <section className="pf-worse" aria-label={t('worse.title')}>
      <h3>
        <TrendingDown size={15} aria-hidden />
        {t('worse.since', { revision, time: momentOf(since) })}
      </h3>
      <p>{t('worse.shares', { is: share(is), was: share(was), from })}</p>
      {edit === null ? (
        <p>{t('worse.others')}</p>
      ) : (
        <p className="pf-worse-who">
          {author === undefined ? null : <PersonAvatar person={author} size={20} />}
          {t('worse.edit', {
            name: edit.authors.map(nameOf).join(', '),
            time: momentOf(edit.time),
            revision: edit.revision,
          })}
        </p>
      )}
      <HStack gap="2" flexWrap="wrap">
        {edit === null || !mayEdit ? null : (
          <Button size="sm" loading={restore.isPending} onClick={() => restore.mutate()}>
            <RotateCcw size={14} aria-hidden />
            {t('worse.restore')}
          </Button>
        )}
        <Button size="sm" asChild>
          <Link to={flowAddress('dialog', address.id, { at: revision, compare: from, block })}>
            <History size={14} aria-hidden />
            {t('worse.see')}
          </Link>
        </Button>
      </HStack>
    </section>
  )
}

const WIDTH = 280
const HEIGHT = 96
const LEFT = 34
const BOTTOM = 14

interface TrendProps {
  readonly days: readonly string[]
  readonly shares: readonly (number | undefined)[]
  readonly revisions: Dropoff['revisions']
}

/** The share that left, day by day; a revision that went live is a dashed mark. */
const Trend = ({ days, shares, revisions }: TrendProps) => {
  const { t } = useTranslation('funnel')
  const { shareOf } = useNumbers()
  const most = Math.max(0.1, ...shares.map(share => share ?? 0))
  const x = (day: number) => LEFT + (day / Math.max(1, days.length - 1)) * (WIDTH - LEFT - 6)
  const y = (share: number) => 6 + (1 - share / most) * (HEIGHT - BOTTOM - 6)
  const points = shares.flatMap((share, day) => (share === undefined ? [] : [{ x: x(day), y: y(share) }]))
  const last = points.at(-1)
  // Of several on one day the newest, which is the first, is marked.
  const marks = days.flatMap((on, day) => {
    const found = revisions.find(({ since }) => isoDayOf(Date.parse(since)) === on)
    return found === undefined ? [] : [{ revision: found.revision, day }]
  })
  const told = shares.findLast(share => share !== undefined)
  return (
    <svg
      className="pf-trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t('trend', { share: told === undefined ? '–' : shareOf(told) })}
    >
      {[most, most / 2, 0].map(share => (
        <g key={share}>
          <line x1={LEFT} x2={WIDTH} y1={y(share)} y2={y(share)} />
          <text x={LEFT - 4} y={y(share) + 3} textAnchor="end">
            {shareOf(share)}
          </text>
        </g>
      ))}
      {marks.map(({ revision, day }) => (
        <g key={revision} className="pf-mark">
          <line x1={x(day)} x2={x(day)} y1={0} y2={HEIGHT - BOTTOM} />
          <text x={x(day)} y={HEIGHT - 2} textAnchor={day > days.length / 2 ? 'end' : 'start'}>
            {t('live', { revision })}
          </text>
        </g>
      ))}
      <polyline points={points.map(point => `${point.x},${point.y}`).join(' ')} />
      {last === undefined ? null : <circle cx={last.x} cy={last.y} r={3.5} />}
    </svg>
  )
}

/** Blocks that are listed; the canvas has all. */
const MAX_LISTED = 12

interface FunnelPanelProps {
  readonly model: FlowModel
  readonly dropoff: Dropoff
  readonly chosen: string | undefined
  readonly onBlock: (block: string) => void
  /** Opens the block in the drawing; undefined where it is not in it any more. */
  readonly onEdit: ((block: string) => void) | undefined
}

const FACTS = ['answered', 'retried', 'gaveup', 'skipped', 'interrupted', 'agent', 'problems', 'waiting'] as const

const Detail = ({
  model,
  dropoff,
  block,
  onEdit,
}: Omit<FunnelPanelProps, 'chosen' | 'onBlock'> & { block: string }) => {
  const { t } = useTranslation('funnel')
  const words = useWords()
  const { countOf } = useNumbers()
  const days = useMemo(() => daysBetween(dropoff.from, dropoff.to), [dropoff])
  const shares = useMemo(() => trendOf(dropoff.days, block, days), [dropoff, block, days])
  const node = model.nodes.get(block)
  const counts = dropoff.blocks.find(each => each.block === block)
  const worsened = dropoff.worsened.find(each => each.block === block)
  if (node === undefined) return null
  return (
    <section className="pf-detail">
      <h2>{shownTitle(node, words).text}</h2>
      {counts === undefined ? (
        <p>{t('nobody')}</p>
      ) : (
        <>
          <p>{t('leftHere', { left: countOf(counts.lost), entered: countOf(counts.entered) })}</p>
          {worsened === undefined ? null : <WorsenedNote worsened={worsened} />}
          <Trend days={days} shares={shares} revisions={dropoff.revisions} />
          <dl>
            {FACTS.filter(fact => counts[fact] !== 0).map(fact => (
              <div key={fact}>
                <dt>{t(`fact.${fact}`)}</dt>
                <dd>{countOf(counts[fact])}</dd>
              </div>
            ))}
            {counts.p50 === null ? null : (
              <div>
                <dt>{t('fact.time')}</dt>
                <dd>{t('times', { half: durationOf(counts.p50), most: durationOf(counts.p95 ?? counts.p50) })}</dd>
              </div>
            )}
          </dl>
        </>
      )}
      <HStack gap="2" flexWrap="wrap">
        {counts === undefined || counts.lost === 0 ? null : (
          <Button size="sm" asChild>
            <Link to={`/bot/conversation/${dropoff.bot}?${new URLSearchParams({ at: block })}`}>
              <MessagesSquare size={14} aria-hidden />
              {t('conversations')}
            </Link>
          </Button>
        )}
        {onEdit === undefined ? null : (
          <Button size="sm" onClick={() => onEdit(block)}>
            <Pencil size={14} aria-hidden />
            {t('edit')}
          </Button>
        )}
      </HStack>
    </section>
  )
}

/** Blocks where people leave, most first, and the chosen block's daily counts. */
export const FunnelPanel = ({ chosen, onBlock, ...given }: FunnelPanelProps) => {
  const { t } = useTranslation('funnel')
  const words = useWords()
  const { countOf, shareOf } = useNumbers()
  const { model, dropoff } = given
  const worst = useMemo(() => topDropoffBlocks(funnelsOf(dropoff)).slice(0, MAX_LISTED), [dropoff])
  const most = Math.max(1, worst[0]?.left ?? 1)
  const shown = chosen ?? worst[0]?.block
  const worse = useMemo(() => new Map(dropoff.worsened.map(each => [each.block, each.revision])), [dropoff])
  return (
    <div className="pf-panel">
      <h2>{t('where')}</h2>
      {worst.length === 0 ? <p className="pf-none">{t('none')}</p> : null}
      <ol aria-label={t('where')}>
        {worst.map(({ block, left, leftShare, tone }, place) => {
          const node = model.nodes.get(block)
          return (
            <li key={block} data-tone={tone}>
              <button type="button" aria-pressed={block === shown} onClick={() => onBlock(block)}>
                <span>{place + 1}</span>
                <span>
                  <b>{node === undefined ? block : shownTitle(node, words).text}</b>
                  <small>{node === undefined ? t('gone') : typeName(node.type, words)}</small>
                  {worse.has(block) ? (
                    <small className="pf-worse-mark">
                      <TrendingDown size={12} aria-hidden />
                      {t('worse.mark', { revision: worse.get(block) })}
                    </small>
                  ) : null}
                  <i style={{ width: `${((left ?? 0) / most) * 100}%` }} />
                </span>
                <span>
                  <b>{countOf(left)}</b>
                  <small>{leftShare === undefined ? '' : shareOf(leftShare)}</small>
                </span>
              </button>
            </li>
          )
        })}
      </ol>
      {shown === undefined ? null : <Detail key={shown} block={shown} {...given} />}
    </div>
  )
}
