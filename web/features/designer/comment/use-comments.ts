import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import type { Store } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import type { Saving } from '../session/room/delivery.ts'
import { type Comment, commentKey, type Thread } from './thread.ts'

/** As long as a block that was drawn a moment ago is waited for, ms. */
const SAVE_TIMEOUT_MS = 3000

/** Resolves once all that was drawn here is stored, so that the server knows the block, or when that takes too long. */
const afterSaving = (saving: Store<Saving>): Promise<void> =>
  new Promise(resolve => {
    if (saving.get().kept === 0) return resolve()
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, SAVE_TIMEOUT_MS)
    const stop = saving.subscribe(() => {
      if (saving.get().kept === 0) done()
    })
  })

/** Actions on the open flow's comments; each rejects with the server's error. */
interface CommentActions {
  begin(block: string, text: string): Promise<void>
  answer(thread: Thread, text: string): Promise<void>
  edit(comment: Comment, text: string): Promise<void>
  remove(comment: Comment): Promise<void>
  settle(thread: Thread): Promise<void>
}

export const useComments = (): CommentActions => {
  const { t } = useTranslation('comment')
  const { address, room, said, notice } = useDesigner()
  const client = useQueryClient()
  return useMemo(() => {
    const { kind, id } = address
    const entity = `${kind}comment`
    const done = async (text: string) => {
      said.set(text)
      await client.invalidateQueries({ queryKey: commentKey(address) })
    }
    return {
      begin: async (block, text) => {
        await afterSaving(room.saving)
        await http.post('/{entity}', { params: { entity }, body: { [kind]: id, block, text } })
        await done(t('sent'))
      },
      answer: async (thread, text) => {
        await http.post('/{entity}', { params: { entity }, body: { [kind]: id, [entity]: thread.id, text } })
        await done(t('sent'))
      },
      edit: async (comment, text) => {
        await http.patch('/{entity}/{id}', {
          params: { entity, id: comment.id },
          body: { text },
          revision: comment.revision,
        })
        await done(t('changed'))
      },
      remove: async comment => {
        await http.delete('/{entity}/{id}', { params: { entity, id: comment.id } })
        await done(t('removed'))
        const bringBack = async () => {
          await http.post('/{entity}/{id}/restore', {
            params: { entity, id: comment.id },
            body: { revision: comment.revision },
          })
          await done(t('broughtBack'))
        }
        notice.set({
          text: t('removed'),
          action: {
            label: t('bringBack'),
            run: () => void bringBack().catch(() => notice.set({ text: t('failed'), tone: 'failed' })),
          },
        })
      },
      settle: async thread => {
        await http.post('/{entity}/{id}/{action}', {
          params: { entity, id: thread.id, action: thread.resolved ? 'reopen' : 'resolve' },
          body: {},
        })
        await done(thread.resolved ? t('reopened') : t('resolved'))
      },
    }
  }, [address, room, client, said, notice, t])
}
