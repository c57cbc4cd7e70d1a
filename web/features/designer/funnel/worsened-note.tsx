import { Button, HStack } from '@chakra-ui/react'
import { useMutation } from '@tanstack/react-query'
import { History, RotateCcw, TrendingDown } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress } from '#web/entity/address.ts'
import { momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { useDesigner } from '../session/designer.ts'
import type { Dropoff } from './funnel.ts'
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
export const WorsenedNote = ({ worsened }: { readonly worsened: Worsened }) => {
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
