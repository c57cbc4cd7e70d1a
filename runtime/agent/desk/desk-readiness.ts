import type { Commands } from '#commands/command-handler.ts'
import { systemCommand } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { type DeskDirectory, isReadyAt, openDeskDirectory } from './desk-directory.ts'

/** Changes within this time are looked at together. */
const GATHER_MS = 100
/** Entities whose changes may change whether a bot with a channel of the desk has agents. */
const DECISIVE = ['bot', 'deskqueue', 'hierarchy', 'role', 'user', 'usergroup'] as const

interface ReadinessParts {
  readonly store: Pick<EventStore, 'head'>
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'execute'>
  readonly failed: (error: unknown) => void
}

/**
 * Records at each agent channel of the desk whether it is configured, after changes of queues and of rights. Every
 * node does; only a difference is written. Returns how to stop.
 */
export const followDeskReadiness = ({ store, read, commands, failed }: ReadinessParts): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<unknown> = Promise.resolve()
  let isStopped = false
  /** While a bot has a channel of the desk. */
  let followed: { readonly directory: DeskDirectory; close(): void } | undefined

  const follow = () => {
    const directory = openDeskDirectory(read, async () => [])
    const stop = read.onTouched(DECISIVE, later)
    return {
      directory,
      close: () => {
        stop()
        directory.close()
      },
    }
  }

  const look = async () => {
    // Read models that are being built lack queues and people.
    const isWhole = await read.reached(await store.head())
    if (isStopped) return
    if (!isWhole) return later()
    const channels = await allRows(read, SYSTEM_SCOPE, 'agentchannel', { type: 'parley' })
    if (isStopped) return
    if (channels.length === 0) {
      followed?.close()
      followed = undefined
      return
    }
    followed ??= follow()
    const { directory } = followed
    const levels = await directory.botLevels()
    for (const { id, bot, configured: known } of channels) {
      const configured = await isReadyAt(directory, levels.get(bot) ?? '')
      if (configured === known || isStopped) continue
      const command = { entity: 'agentchannel', action: 'record', id, input: { configured } }
      const outcome = await commands.execute(systemCommand(command))
      if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') failed(new Error(outcome.refusal.code))
    }
  }
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      working = working.then(look).catch(error => {
        if (!isStopped) failed(error)
      })
    }, GATHER_MS).unref()
  }
  const stop = read.onTouched(['agentchannel'], later)
  later()
  return () => {
    isStopped = true
    clearTimeout(timer)
    stop()
    followed?.close()
  }
}
