import { join } from 'node:path'
import type { FlowLog } from '#commands/flow/flow-log.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import type { Parts } from '../port.ts'
import { BotLogFile } from './bot-log.ts'
import { openReleases } from './releases.ts'

interface OpenRuntime {
  readonly store: EventStore
  readonly flows: FlowLog
  readonly read: ReadModels
  /** Of the installation's data. */
  readonly folder: string
  readonly failed: (error: unknown) => void
}

interface OpenedRuntime extends Pick<Parts, 'releases' | 'botLog'> {
  close(): Promise<void>
}

/** What running bots need beside their conversations. */
export const openRuntime = ({ folder, ...options }: OpenRuntime): OpenedRuntime => {
  const botLog = new BotLogFile({ file: join(folder, 'botlog.sqlite'), failed: options.failed })
  const { releases, close } = openReleases(options)
  return {
    releases,
    botLog,
    async close() {
      await close()
      botLog.close()
    },
  }
}
