import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { blockTitlesQuery, type Replay } from './conversation-query.ts'

/** What the blocks were called in the revisions that ran, and the dialogs that they lie in. */
export interface BlockNames {
  titleOf(dialog: string, block: string): string
  dialogOf(dialog: string): string | undefined
}

export const useBlockNames = ({ flows, turns }: Replay): BlockNames => {
  const walked = useMemo(() => {
    const dialogs = new Set(turns.flatMap(({ steps }) => steps.map(({ dialog }) => dialog)))
    return flows.filter(({ dialog }) => dialogs.has(dialog))
  }, [flows, turns])
  return useQueries({
    queries: walked.map(({ dialog, revision }) => blockTitlesQuery(dialog, revision)),
    combine: found => {
      const titles = new Map(walked.map(({ dialog }, place) => [dialog, found[place]?.data]))
      return {
        titleOf: (dialog, block) => titles.get(dialog)?.[block] ?? block,
        dialogOf: dialog => walked.find(flow => flow.dialog === dialog)?.name ?? undefined,
      }
    },
  })
}
