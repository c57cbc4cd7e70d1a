import type { Commands } from '#commands/command-handler.ts'
import { systemCommand } from '#commands/port.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { channelType, isPushed } from '#schemas/channel-type.ts'
import type { Result } from '#schemas/refusal.ts'
import type { Channels, ChannelWatch } from '../open-channels.ts'
import { PeriodicLook } from './periodic-look.ts'

const LOOK_MS = 60_000
const DAY_MS = 86_400_000
/** Providers asked per look, so that a start of a large installation does not call all of them at once. */
const MAX_AT_ONCE = 20

interface TokenParts {
  readonly read: Pick<ReadModels, 'list' | 'detail' | 'reached' | 'onTouched'>
  readonly commands: Pick<Commands, 'execute'>
  readonly channels: Pick<Channels, 'checkToken' | 'connect'>
  readonly watch: Pick<ChannelWatch, 'tokenChecked' | 'tokenChanged' | 'connectTried'>
  readonly failed: (error: unknown) => void
  readonly now?: () => number
}

/** Registers the webhook of a channel at its provider, and keeps for its health whether the provider took it. */
export const connectChannel = async (
  { channels, watch }: Pick<TokenParts, 'channels' | 'watch'>,
  id: string,
): Promise<Result<string> | undefined> => {
  const connected = await channels.connect(id)
  if (connected?.ok === true) watch.connectTried(id, undefined)
  // Refused credentials have a state of their own.
  if (connected?.ok === false && connected.refusal.code !== 'channel.token') {
    const { code, params = {} } = connected.refusal
    watch.connectTried(id, String(params.error ?? params.address ?? params.reason ?? code))
  }
  return connected
}

type CheckParts = Omit<TokenParts, 'now' | 'read' | 'channels'> & {
  readonly read: Pick<ReadModels, 'reached'>
  readonly channels: Pick<Channels, 'checkToken'>
}

/** Asks the provider about the credentials of one channel, and stores when they end. Never throws. */
export const checkToken = async (parts: CheckParts, id: string): Promise<void> => {
  const { read, commands, channels, watch, failed } = parts
  try {
    const state = await channels.checkToken(id)
    if (state === undefined) return
    if (state.isAccepted !== undefined) watch.tokenChecked(id, state.isAccepted ? undefined : state.code)
    if (state.ends === undefined) return
    const input = { token_ends: state.ends === null ? null : new Date(state.ends).toISOString() }
    const command = { entity: 'channel', action: 'record', id, input }
    const outcome = await commands.execute(systemCommand(command))
    if (outcome.ok && outcome.position !== undefined) {
      await read.reached(outcome.position)
      watch.tokenChanged(id)
    }
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound') failed(new Error(outcome.refusal.code))
  } catch (error) {
    failed(error)
  }
}

/**
 * Registers the webhooks of enabled channels whose types connect, and asks the providers about the credentials: after a
 * change of the channel, and once a day.
 */
export class TokenWatch extends PeriodicLook {
  readonly #parts: TokenParts
  readonly #checked = new Map<string, { readonly revision: number; readonly at: number }>()
  readonly #stop: () => void

  constructor(parts: TokenParts) {
    super(LOOK_MS, parts.failed)
    this.#parts = parts
    this.#stop = parts.read.onTouched(['channel'], touched => {
      for (const { id } of touched) void this.#connectNow(id)
    })
  }

  override close(): void {
    super.close()
    this.#stop()
  }

  protected override async lookOnce(): Promise<void> {
    const rows = await allRows(this.#parts.read, SYSTEM_SCOPE, 'channel', { enable: true })
    for (const { id } of rows.filter(row => this.#isDue(row)).slice(0, MAX_AT_ONCE)) await this.#check(id)
  }

  #isDue({ id, type, revision }: RowOf<'channel'>): boolean {
    const { now = Date.now } = this.#parts
    const known = this.#checked.get(id)
    const isChecked = known !== undefined && known.revision === revision && now() - known.at < DAY_MS
    return isPushed(type) && !isChecked
  }

  async #check(id: string): Promise<void> {
    const { read, now = Date.now } = this.#parts
    const connected = await connectChannel(this.#parts, id)
    await checkToken(this.#parts, id)
    // A webhook that is not registered brings nothing: it is tried again at the next look.
    if (connected?.ok === false) return
    // The check itself may have changed the row.
    const row = await read.detail(SYSTEM_SCOPE, 'channel', id)
    if (row !== undefined) this.#checked.set(id, { revision: row.revision, at: now() })
  }

  /** A channel that was enabled just now does not wait for the next look. Never throws. */
  async #connectNow(id: string): Promise<void> {
    try {
      const row = await this.#parts.read.detail(SYSTEM_SCOPE, 'channel', id)
      const isNew = row?.enable === true && channelType(row.type)?.connects === true && this.#isDue(row)
      if (isNew) await this.#check(id)
    } catch (error) {
      this.#parts.failed(error)
    }
  }
}
