import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import type { Going, Moment } from '#web/entity/flow/pending-changes.ts'
import type { Store } from '../model/store.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'
import type { Saving } from '../session/room/delivery.ts'
import { useUnpublished } from './use-unpublished.ts'

const STORED_TIMEOUT_MS = 10_000
/** A stored edit reaches the history of a busy server within a few of these. */
const HISTORY_PAUSE_MS = 300
const MAX_ATTEMPTS = 10

/** Whether this person's edits are stored, or came to be in time. */
const isStored = (saving: Store<Saving>): Promise<boolean> => {
  if (saving.get().kept === 0) return Promise.resolve(true)
  return new Promise(resolve => {
    const answer = (stored: boolean) => {
      clearTimeout(timer)
      stop()
      resolve(stored)
    }
    const timer = setTimeout(answer, STORED_TIMEOUT_MS, false)
    const stop = saving.subscribe(() => saving.get().kept === 0 && answer(true))
  })
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

interface Publishing {
  readonly busy: boolean
  readonly refused: string | undefined
  readonly isDone: boolean
  /** The dialogs to publish. */
  readonly going: readonly Going[]
  /** `reason`: why it goes live although tests fail. */
  publish(reason?: string): Promise<void>
}

/**
 * Publishes the open flow as it is shown. Edits that this person made since the list was read go along; those of others
 * are shown first.
 */
export const usePublish = (): Publishing => {
  const { t } = useTranslation('designer')
  const { address, room } = useDesigner()
  const { user } = useSession()
  const names = useNames()
  const queries = useQueryClient()
  const unpublished = useUnpublished(address, names.flow)
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)

  const isOthers = ({ authors }: Moment) => authors.some(({ id }) => id !== user.id)
  const post = (flowrevision: number | undefined, reason: string | undefined) =>
    http.post('/{entity}/{id}/{action}', {
      params: {
        entity: address.kind,
        id: address.id,
        action: reason === undefined ? 'publish' : 'publishuntested',
      },
      body: {
        ...(flowrevision === undefined ? {} : { flowrevision }),
        ...(reason === undefined ? {} : { reason }),
      },
    })
  /** The words that say why it is not published; undefined when it is. */
  const attempt = async (why: string | undefined): Promise<string | undefined> => {
    if (!(await isStored(room.saving))) return t('publish.unstored')
    for (let attempts = 1; ; attempts += 1) {
      const now = await unpublished.recount()
      const since = now.moments.filter(({ revision }) => revision > (unpublished.revision ?? 0))
      if (since.some(isOthers)) return t('publish.moved')
      try {
        await post(now.revision, why)
        return undefined
      } catch (error) {
        if (!isProblem(error, 409) || error.code !== 'flow.changed' || attempts === MAX_ATTEMPTS) throw error
        await pause(HISTORY_PAUSE_MS)
      }
    }
  }
  const publish = async (why?: string) => {
    setBusy(true)
    setRefused(undefined)
    try {
      const reason = await attempt(why)
      if (reason === undefined) {
        await queries.invalidateQueries({ queryKey: [address.kind] })
        return setDone(true)
      }
      setRefused(reason)
    } catch (error) {
      if (isProblem(error, 409) || (isProblem(error) && error.code === 'test.failed')) await queries.invalidateQueries()
      setRefused(failureOf(error, t(`failure.publish.${address.kind}`)))
    }
    setBusy(false)
  }
  return { publish, busy, refused, isDone, going: unpublished.going }
}
