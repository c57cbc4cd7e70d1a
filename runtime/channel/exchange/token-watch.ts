import { randomUUID } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { systemCaller } from '#commands/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { isPushed } from '#schemas/channel-type.ts'
import type { Channels, ChannelWatch } from '../open-channels.ts'
import { PeriodicLook } from './periodic-look.ts'

const LOOK_MS = 60_000
const DAY_MS = 86_400_000
/** Providers asked per look, so that a start of a large installation does not call all of them at once. */
const MAX_AT_ONCE = 20

interface TokenParts {
  readonly read: Pick<ReadModels, 'list' | 'detail' | 'reached'>
  readonly commands: Pick<Commands, 'execute'>
  readonly channels: Pick<Channels, 'checkToken'>
  readonly watch: Pick<ChannelWatch, 'tokenChecked' | 'tokenChanged'>
  readonly failed: (error: unknown) => void
  readonly now?: () => number
}

/** Asks the provider about the credentials of one channel, and stores when they end. Never throws. */
export const checkToken = async (parts: Omit<TokenParts, 'now'>, id: string): Promise<void> => {
  const { read, commands, channels, watch, failed } = parts
  try {
    const state = await channels.checkToken(id)
    if (state === undefined) return
    if (state.isAccepted !== undefined) watch.tokenChecked(id, state.isAccepted ? undefined : state.code)
    if (state.ends === undefined) return
    const input = { token_ends: state.ends === null ? null : new Date(state.ends).toISOString() }
    const command = { entity: 'channel', action: 'record', id, input }
    const outcome = await commands.execute({ ...command, caller: systemCaller(), correlation: randomUUID() })
    if (outcome.ok && outcome.position !== undefined) {
      await read.reached(outcome.position)
      watch.tokenChanged(id)
    }
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') failed(new Error(outcome.refusal.code))
  } catch (error) {
    failed(error)
  }
}

/** Asks the providers about the credentials of enabled channels: after a change of the channel, and once a day (R27). */
export class TokenWatch extends PeriodicLook {
  readonly #parts: TokenParts
  readonly #checked = new Map<string, { readonly revision: number; readonly at: number }>()

  constructor(parts: TokenParts) {
    super(LOOK_MS, parts.failed)
    this.#parts = parts
  }

  protected override async lookOnce(): Promise<void> {
    const { read, now = Date.now } = this.#parts
    const isDue = ({ id, type, revision }: RowOf<'channel'>) => {
      const known = this.#checked.get(id)
      const isChecked = known !== undefined && known.revision === revision && now() - known.at < DAY_MS
      return isPushed(type) && !isChecked
    }
    const due = (await allRows(read, SYSTEM_SCOPE, 'channel', { enable: true })).filter(isDue)
    for (const { id } of due.slice(0, MAX_AT_ONCE)) {
      await checkToken(this.#parts, id)
      // The check itself may have changed the row.
      const row = await read.detail(SYSTEM_SCOPE, 'channel', id)
      if (row !== undefined) this.#checked.set(id, { revision: row.revision, at: now() })
    }
  }
}
