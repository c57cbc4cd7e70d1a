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

/** A part of a conversation: from a marker, or from where another dialog began to run, up to the next one. */
export interface PathPart {
  readonly dialog: string
  /** The marker that it begins with; undefined: the dialog itself. */
  readonly marker: string | undefined
  /** The turn that it began in. */
  readonly turn: number
  /** When it began and ended, ms since 1970. */
  readonly start: number
  readonly end: number
  /** Problems of its blocks, and answers that were not understood. */
  readonly errors: number
}

const isUnanswered = ({ tries, out }: Replay['turns'][number]['steps'][number]): boolean =>
  typeof tries === 'number' && tries > 0 && out === null

/** The way that a conversation took, in its order. */
export const pathOf = (turns: Replay['turns']): readonly PathPart[] => {
  const parts: { -readonly [name in keyof PathPart]: PathPart[name] }[] = []
  for (const { turn, time, steps } of turns) {
    let now = Date.parse(time) - steps.reduce((sum, { ms }) => sum + ms, 0)
    for (const step of steps) {
      const last = parts.at(-1)
      if (last !== undefined) last.end = now
      if (last?.dialog !== step.dialog || step.type === 'marker') {
        const marker = step.type === 'marker' ? step.block : undefined
        parts.push({ dialog: step.dialog, marker, turn, start: now, end: now, errors: 0 })
      }
      now += step.ms
      const part = parts.at(-1)
      if (part === undefined) continue
      part.end = now
      if (step.problem !== undefined || isUnanswered(step)) part.errors += 1
    }
  }
  // A dialog that begins with a marker is that marker.
  return parts.filter((part, place) => {
    const next = parts[place + 1]
    const isEmpty = part.marker === undefined && next?.marker !== undefined && next.dialog === part.dialog
    return !(isEmpty && next.turn === part.turn && part.errors === 0)
  })
}
