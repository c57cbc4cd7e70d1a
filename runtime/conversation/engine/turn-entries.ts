import type { TurnResult } from '#domain/conversation/run-turn.ts'
import type { Problem, Step } from '#domain/conversation/step.ts'
import type { BotLogEntry } from '../../service/bot-log.ts'
import type { FoldedConversation } from './folded-conversation.ts'

const ofStep = ({ dialog, block }: Step) => ({ dialog, block })

/** The result of a turn as its counter names it. */
export const turnResult = ({ problems, failed }: Pick<TurnResult, 'problems' | 'failed'>): string =>
  problems.some(({ code }) => code === 'internal') ? 'internal' : (failed?.limit ?? 'done')

/** Entries of a turn for the bot's log: its problems, by the block where they occurred, and an exceeded limit. */
export const turnEntries = (
  { id, bot, release, channel, channelType }: FoldedConversation,
  { steps, problems, failed }: Pick<TurnResult, 'steps' | 'problems' | 'failed'>,
): readonly BotLogEntry[] => {
  const about = { bot, release, conversation: id, service: `${channelType}:${channel}` }
  const placed = new Map<Problem, Step>()
  for (const step of steps) if (step.problem !== undefined) placed.set(step.problem, step)
  const last = steps.findLast(({ block }) => block === failed?.block)
  return [
    ...problems.map((problem): BotLogEntry => {
      const step = placed.get(problem)
      const level = problem.code === 'internal' ? 'error' : 'warn'
      return { level, code: problem.code, ...about, ...(step === undefined ? {} : ofStep(step)) }
    }),
    ...(failed === undefined
      ? []
      : [
          {
            level: 'error' as const,
            code: `turn.${failed.limit}`,
            ...about,
            ...(last === undefined ? {} : ofStep(last)),
          },
        ]),
  ]
}
