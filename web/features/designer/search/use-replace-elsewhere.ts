import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useDesigner } from '../session/designer.ts'
import { useNames } from '../session/names-context.ts'
import type { Place } from './skipped-replacements.tsx'
import { placeOf, type ReplacedIn, type Replacement, undoReplacement } from './undo-replacement.ts'

type FoundFlows = AnswerOf<'GET /bot/{id}/flow/find'>['items']

interface ReplaceRequest {
  readonly text: string
  readonly by: string
  readonly exact: boolean
  readonly word: boolean
  readonly flows: FoundFlows
}

/** Result of a replacement, and its undo. */
interface Replaced {
  readonly texts: number
  readonly flows: number
  readonly left: readonly Place[]
  readonly undo: (() => void) | undefined
}

/** Actual replacements: without fields that changed meanwhile. */
const without = (flows: FoundFlows, left: readonly Place[]): ReplacedIn[] => {
  const stayed = new Set(left.map(({ id, block, field }) => JSON.stringify([id, block, field])))
  return flows.map(({ id, hits }) => ({
    id,
    hits: hits.filter(({ block, path }) => !stayed.has(JSON.stringify([id, block, path[0] ?? 'title']))),
  }))
}

/** Replaces a text in flows of the bot, by the server; the whole of it can be taken back at once. */
export const useReplaceElsewhere = (done: (replaced: Replaced) => void) => {
  const { t } = useTranslation('designer')
  const { notice, said } = useDesigner()
  const { bot } = useNames()
  const queries = useQueryClient()
  const rewrite = (body: BodyOf<'POST /bot/{id}/flow/replace'>) =>
    http.post('/bot/{id}/flow/replace', { params: { id: bot?.id ?? '' }, body })
  const again = () => queries.invalidateQueries({ queryKey: ['bot', bot?.id, 'find'] })
  const takeBack = async (calls: readonly Replacement[]) => {
    let missed = 0
    for (const call of calls) missed += (await rewrite(call)).left?.length ?? 0
    const text = t('seek.takenBack') + (missed === 0 ? '' : `. ${t('seek.left', { count: missed })}`)
    said.set(text)
    notice.set({ text })
    await again()
  }
  const failed = (error: unknown) => notice.set({ text: failureOf(error, t('seek.notReplaced')), tone: 'failed' })
  return useMutation({
    mutationFn: ({ flows, ...wanted }: ReplaceRequest) =>
      rewrite({ ...wanted, flows: flows.map(({ id, hits }) => ({ id, hits: hits.map(placeOf) })) }),
    onSuccess: async ({ texts, flows = 0, left = [] }, wanted) => {
      const all = wanted.flows.reduce((sum, { hits }) => sum + hits.length, 0)
      const calls = undoReplacement(without(wanted.flows, left), wanted.by)
      const undo = calls && (() => void takeBack(calls).catch(failed))
      done({ texts: texts ?? all, flows, left, undo: (texts ?? all) === 0 ? undefined : undo })
      await again()
    },
  })
}
