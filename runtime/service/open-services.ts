import type { RowOf } from '#projections/port.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { LazyConversations } from '../conversation/compose-conversations.ts'
import { understandWithMlSystem } from '../ml/open-ml.ts'
import { responsesForBot } from '../nlu/understand-for-bot.ts'
import { NODE_NAME, type RuntimeParts, VERSION } from '../parts.ts'
import { BotServices, localServices, ServiceRecord } from './bot-services.ts'
import { RunningNlu } from './running-nlu.ts'

interface OpenServices {
  readonly parts: RuntimeParts
  readonly hints: Hints
  readonly conversations: LazyConversations
  /** Undefined: the store accepts writes. */
  readonly refusesWrites: () => string | undefined
  readonly isShared: boolean
}

/** A live node applies a setting within this time (RUNTIME 95). */
const TAKEN_UP_MS = 5_000

/** Checks once for all bots that ask at about the same time. */
const openBehind = ({ read, store }: Pick<RuntimeParts, 'read' | 'store'>): (() => Promise<boolean>) => {
  let asked = Number.NEGATIVE_INFINITY
  let answer: Promise<boolean> = Promise.resolve(false)
  return () => {
    if (performance.now() - asked > TAKEN_UP_MS) {
      asked = performance.now()
      answer = store.head().then(async head => !(await read.reached(head, TAKEN_UP_MS)))
    }
    return answer
  }
}

/** The services of the bots that this gateway runs. */
export const openServices = ({ parts, hints, conversations, refusesWrites, isShared }: OpenServices): BotServices => {
  const { read, store, botLog, releases, log } = parts
  const local = {
    read,
    refusesWrites,
    openLog: conversations.opened,
    loadRelease: releases.newest,
    isBehind: openBehind(parts),
    hasNlu: async (bot: RowOf<'bot'>) =>
      understandWithMlSystem(parts, bot) !== undefined || (await responsesForBot(parts, bot)) !== undefined,
  }
  return new BotServices({
    hints,
    read,
    record: new ServiceRecord(store, read),
    local: bot => localServices(bot, local),
    mend: conversations.mend,
    botLog,
    node: NODE_NAME,
    version: VERSION,
    isShared,
    failed: error => log.error(error),
  })
}

/** Whether bots have applied changes of their NLU. Without NATS_URL this node counts alone: no other can be heard. */
export const openRunningNlu = (parts: RuntimeParts, hints: Hints, services: BotServices): RunningNlu => {
  const { read, store, releases, nlu, settings, log } = parts
  return new RunningNlu({
    hints,
    store,
    read,
    releases,
    nlu,
    isOutside: bot => understandWithMlSystem(parts, bot) !== undefined,
    othersOf: bot => services.othersOf(bot),
    hearsAll: () => settings.NATS_URL === undefined || services.hearsAll(),
    failed: error => log.error(error),
  })
}
