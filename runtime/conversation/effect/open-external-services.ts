import type { RowOf } from '#projections/port.ts'
import { openEvaluator } from '../../isolation/expression/open-evaluator.ts'
import { readFeedInPool } from '../../isolation/feed/read-feed-in-pool.ts'
import { openHolidays } from '../../isolation/open-holidays.ts'
import { openSandbox } from '../../isolation/script/open-sandbox.ts'
import { callerOf } from '../../isolation/work.ts'
import { askSystemForBot, understandWithMlSystem } from '../../ml/open-ml.ts'
import { askBrainOf, modelOfBot, understandForBot } from '../../nlu/understand-for-bot.ts'
import type { RuntimeParts } from '../../parts.ts'
import { openAccessTokens } from './access-tokens.ts'
import { secretVariables } from './global-variables.ts'
import type { Outside } from './perform-effect.ts'

/** Opens the services that carry out effects of conversations. `stopped`: aborts when a bot is stopped. */
export const openExternalServices = (
  parts: Pick<RuntimeParts, 'read' | 'commands' | 'call' | 'nlu' | 'ml' | 'work'>,
  stopped: (bot: RowOf<'bot'>) => AbortSignal | undefined = () => undefined,
) => {
  const { read, commands, call, work } = parts
  const holidays = openHolidays(work)
  const tokens = openAccessTokens({ read, commands, call })
  return {
    /** `model`: hash of a release's NLU model; default: the model that the bot names, or its project's. */
    of: (bot: RowOf<'bot'>, model: string | null = modelOfBot(bot)): Outside => {
      const from = callerOf(bot, bot.id)
      const signal = stopped(bot)
      return {
        evaluator: openEvaluator(work, from, signal),
        sandbox: openSandbox(work, from, signal === undefined ? {} : { signal }),
        readFeed: input => readFeedInPool({ pool: work, from }, input),
        ...{ holidays, call },
        secrets: () => secretVariables(read, commands, bot),
        understand: understandWithMlSystem(parts, bot) ?? understandForBot(parts, bot, model),
        askSystem: askSystemForBot(parts, bot),
        askBrain: askBrainOf(parts, bot),
        token: (configuration, refusedToken) => tokens.of(bot, configuration, refusedToken),
      }
    },
  }
}
