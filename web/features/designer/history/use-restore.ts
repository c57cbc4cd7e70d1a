import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nodesOf } from '#domain/flow/document/document.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import type { Moment } from '#web/entity/flow/read-revisions.ts'
import { notice } from '#web/notice/notice.ts'
import { useDesigner } from '../session/designer.ts'
import { momentsKey, useTravelling } from './use-travel.ts'

/** Bringing a moment back: the whole flow, chosen blocks, or chosen fields of one. Each can be undone. */
export const useRestore = () => {
  const { t } = useTranslation('history')
  const client = useQueryClient()
  const { room, mayEdit } = useDesigner()
  const { address } = useTravelling()
  const { kind, id } = address
  const [busy, setBusy] = useState(false)

  const post = async (
    revision: number,
    blocks?: readonly string[],
    fields?: readonly string[],
  ): Promise<Moment | undefined> => {
    const done = await http.post('/{kind}/{id}/flow/restore', {
      params: { kind, id },
      body: {
        revision,
        ...(blocks === undefined ? {} : { blocks }),
        ...(fields === undefined ? {} : { fields }),
      },
    })
    await client.refetchQueries({ queryKey: momentsKey(address) })
    const known = client.getQueryData<{ readonly moments: readonly Moment[] }>(momentsKey(address))
    const written = known?.moments.findLast(moment => moment.revision === done.revision)
    // Without differences nothing was written, and the revision is an earlier edit.
    return written?.source?.kind === 'restore' && written.source.revision === revision ? written : undefined
  }

  const guarded = async (run: () => Promise<void>) => {
    setBusy(true)
    try {
      await run()
    } catch (error) {
      notice.toast(isProblem(error) ? error.message : t('flow.restoreFailed'), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  const told = (text: string, undo: () => Promise<void>) =>
    notice.snack(text, { tone: 'positive', action: { label: t('flow.undo'), run: () => void guarded(undo) } })

  const restore = (
    revision: number,
    blocks: readonly string[] | undefined,
    text: string,
    fields?: readonly string[] | undefined,
  ) =>
    guarded(async () => {
      if (fields !== undefined && blocks?.some(block => !nodesOf(room.doc).has(block))) {
        notice.snack(t('flow.gone'))
        return
      }
      const written = await post(revision, blocks, fields)
      if (written === undefined) notice.snack(t('flow.already'))
      else
        told(text, async () => {
          await post(written.revision - 1, blocks, fields)
          notice.snack(t('flow.undone'))
        })
    })

  return { mayEdit, busy, restore }
}
