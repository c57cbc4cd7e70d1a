import { blockOf } from '#schemas/blocks/registry.ts'
import type { Turn } from './conversation-query.ts'

type Step = Turn['steps'][number]
type Said = Turn['said'][number]

/** A bubble, or a line about what the machine did, in the order in which it happened. `place`: the step that it belongs to. */
export type TranscriptItem = { readonly place: number } & (
  | { readonly kind: 'said'; readonly message: Said }
  | { readonly kind: 'tried'; readonly step: Step; readonly tries: number }
  | { readonly kind: 'called'; readonly step: Step }
  | { readonly kind: 'problem'; readonly step: Step }
  | { readonly kind: 'agent'; readonly step: Step }
)

/** Blocks that ask something outside of the flow. */
export const isIntegrationBlock = (type: string): boolean => blockOf(type)?.category === 'integration'

/** From so many ms on, a call is worth a line. */
const WORTH_MS = 100

const linesOf = (step: Step, place: number): readonly TranscriptItem[] => {
  const tries = typeof step.tries === 'number' ? step.tries : 0
  return [
    ...(tries > 0 && step.out === null ? [{ kind: 'tried', place, step, tries } as const] : []),
    ...(isIntegrationBlock(step.type) && step.ms >= WORTH_MS ? [{ kind: 'called', place, step } as const] : []),
    ...(step.problem === undefined ? [] : [{ kind: 'problem', place, step } as const]),
    ...(step.agent === true ? [{ kind: 'agent', place, step } as const] : []),
  ]
}

/** Events of a turn after its input: each message follows the step of its block. */
export const itemsOf = ({ steps, said }: Turn): readonly TranscriptItem[] => {
  const left = [...said]
  const items: TranscriptItem[] = []
  for (const [place, step] of steps.entries()) {
    items.push(...linesOf(step, place))
    while (left[0]?.block === step.block) {
      const message = left.shift()
      if (message !== undefined) items.push({ kind: 'said', place, message })
    }
  }
  const end = Math.max(0, steps.length - 1)
  return [...items, ...left.map((message): TranscriptItem => ({ kind: 'said', place: end, message }))]
}
