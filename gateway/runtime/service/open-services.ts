import { hostname } from 'node:os'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { Parts } from '../../port.ts'
import { VERSION } from '../../version.ts'
import type { LazyConversations } from '../conversation/lazy-conversations.ts'
import { BotServices } from './bot-services.ts'
import { localServices } from './local-service.ts'
import { ServiceRecord } from './service-record.ts'

interface OpenServices {
  readonly parts: Parts
  readonly hints: Hints
  readonly conversations: LazyConversations
  /** Undefined: the store takes writes. */
  readonly refusesWrites: () => string | undefined
  readonly isShared: boolean
}

/** Two gateways of one machine differ by their process. */
const NODE = `${hostname()}-${process.pid}`

/** The services of the bots that this gateway runs. */
export const openServices = ({ parts, hints, conversations, refusesWrites, isShared }: OpenServices): BotServices => {
  const { read, store, botLog, releases, log } = parts
  const local = { read, refusesWrites, openLog: conversations.opened, loadRelease: releases.newest }
  return new BotServices({
    hints,
    read,
    record: new ServiceRecord(store, read),
    local: bot => localServices(bot, local),
    mend: conversations.mend,
    botLog,
    node: NODE,
    version: VERSION,
    isShared,
    failed: error => log.error(error),
  })
}
