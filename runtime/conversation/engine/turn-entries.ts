import type { TurnResult } from '#domain/conversation/run-turn.ts'
import type { Problem, Step } from '#domain/conversation/step.ts'
import type { BotLogEntry } from '../../service/bot-log.ts'
import type { FoldedConversation } from './folded-conversation.ts'

const ofStep = ({ dialog, block }: Step) => ({ dialog, block })

/** What a bot's log is told of a turn: its problems by the block where they were, and that it went beyond a limit. */
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
