import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { blockTitlesQuery, type Replay } from './conversation-query.ts'

/** Block titles in the revisions that ran, and names of their dialogs. */
export interface BlockNames {
  titleOf(dialog: string, block: string): string
  dialogOf(dialog: string): string | undefined
}

export const useBlockNames = ({ flows, turns }: Replay): BlockNames => {
  const { t } = useTranslation('block')
  const walked = useMemo(() => {
    const dialogs = new Set(turns.flatMap(({ steps }) => steps.map(({ dialog }) => dialog)))
    return flows.filter(({ dialog }) => dialogs.has(dialog))
  }, [flows, turns])
  return useQueries({
    queries: walked.map(({ dialog, revision }) => blockTitlesQuery(dialog, revision)),
    combine: found => {
      const titles = new Map(walked.map(({ dialog }, place) => [dialog, found[place]?.data]))
      return {
        titleOf: (dialog, block) => {
          const named = titles.get(dialog)?.[block]
          // An id says nothing to people: none while titles are read, the word for a block where there is no title.
          if (named === undefined) return titles.get(dialog) === undefined ? '' : t('type.unknown')
          const { title, type } = named
          return isMachineTitle(title, type) ? t(`type.${type}`, { defaultValue: title || block }) : title
        },
        dialogOf: dialog => walked.find(flow => flow.dialog === dialog)?.name ?? undefined,
      }
    },
  })
}
