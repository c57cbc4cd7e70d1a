import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportFlow } from '#domain/flow/export-flow.ts'
import { patchBlocks } from '#domain/flow/patch-flow.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FlowFile, FlowOperator } from '#schemas/flow/file.ts'
import { api } from '#web/api/client.ts'
import { isProblem } from '#web/api/problem.ts'
import { notice } from '#web/notice/notice.ts'
import { OWN_EDIT } from '../live/actions.ts'
import { useDesigner } from '../live/designer.ts'
import { withFields } from './field-row.ts'
import type { Moment } from './moment.ts'
import { momentsKey } from './use-moments.ts'
import { useTravelling } from './use-travel.ts'

/** Bringing a moment back: the whole flow, chosen blocks, or chosen fields of one. Each can be undone. */
export const useRestore = () => {
  const { t } = useTranslation('history')
  const client = useQueryClient()
  const { room, mayEdit } = useDesigner()
  const { address } = useTravelling()
  const { kind, id } = address
  const [busy, setBusy] = useState(false)

  const post = async (revision: number, blocks?: readonly string[]): Promise<Moment | undefined> => {
    const done = await api.post<{ revision: number }>(`/${kind}/${id}/flow/restore`, {
      revision,
      ...(blocks === undefined ? {} : { blocks }),
    })
    await client.refetchQueries({ queryKey: momentsKey(address) })
    const known = client.getQueryData<{ readonly moments: readonly Moment[] }>(momentsKey(address))
    const written = known?.moments.findLast(moment => moment.revision === done.revision)
    // Where nothing differed nothing was written, and the revision is somebody's earlier edit.
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

  const restore = (revision: number, blocks: readonly string[] | undefined, text: string) =>
    guarded(async () => {
      const written = await post(revision, blocks)
      if (written === undefined) notice.snack(t('flow.already'))
      else
        told(text, async () => {
          await post(written.revision - 1, blocks)
          notice.snack(t('flow.undone'))
        })
    })

  const restoreFields = (block: string, from: FlowFile, paths: readonly string[], text: string) =>
    guarded(async () => {
      const live = exportFlow(room.doc)
      const now = live.operators[block]
      const wanted = from.operators[block]
      if (now === undefined || wanted === undefined) return notice.snack(t('flow.gone'))
      const write = (operator: FlowOperator) => {
        const file = exportFlow(room.doc)
        patchBlocks(room.doc, { ...file, operators: { ...file.operators, [block]: operator } }, [block], OWN_EDIT)
      }
      write(withFields(now as JsonObject, wanted as JsonObject, paths) as FlowOperator)
      told(text, async () => {
        const held = exportFlow(room.doc).operators[block]
        if (held !== undefined) write(withFields(held as JsonObject, now as JsonObject, paths) as FlowOperator)
      })
    })

  return { mayEdit, busy, restore, restoreFields }
}
