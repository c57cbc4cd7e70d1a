import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Replay } from '#web/features/conversation/index.ts'
import { flowAtQuery, type RevisionFlow } from '../history/scene.ts'
import { shownTitle } from '../model/block-appearance.ts'
import type { Translate } from '../model/label.ts'
import type { ReplayMoment } from './replay-moments.ts'

/** The dialogs that a conversation came by, at the revisions that ran. */
export interface ReplayFlows {
  readonly flowOf: (dialog: string) => RevisionFlow | undefined
  readonly errorOf: (dialog: string) => unknown
  readonly revisionOf: (dialog: string) => number
  readonly titleOf: (dialog: string, block: string) => string
}

/** Dialogs without a revision: their flow is not shown. */
const UNKNOWN = 0

export const useReplayFlows = (flows: Replay['flows'], moments: readonly ReplayMoment[], t: Translate): ReplayFlows => {
  const walked = useMemo(() => {
    const dialogs = new Set(moments.flatMap(({ dialog }) => dialog ?? []))
    return flows.filter(({ dialog }) => dialogs.has(dialog))
  }, [flows, moments])
  return useQueries({
    queries: walked.map(({ dialog, revision }) => ({
      ...flowAtQuery({ kind: 'dialog', id: dialog }, revision),
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: found => {
      const byDialog = new Map(walked.map(({ dialog }, place) => [dialog, found[place]]))
      const flowOf = (dialog: string) => byDialog.get(dialog)?.data
      return {
        flowOf,
        errorOf: (dialog: string) => byDialog.get(dialog)?.error ?? undefined,
        revisionOf: (dialog: string) => walked.find(flow => flow.dialog === dialog)?.revision ?? UNKNOWN,
        titleOf: (dialog: string, block: string) => {
          const node = flowOf(dialog)?.model.nodes.get(block)
          return node === undefined ? block : shownTitle(node, t).text
        },
      }
    },
  })
}
