import { channelType, isWhatsapp } from '#schemas/channel-type.ts'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { ChannelAdapter, ProviderUser } from '../channel-port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import type { ExchangeIndex } from './exchange-index.ts'

const HOUR_MS = 3_600_000

/** Receiver of a message; else the reason it is not sent, such as a missing or disabled channel, or a closed window. */
export type Receiver =
  | {
      readonly ok: true
      readonly channel: ProviderChannel
      readonly adapter: ChannelAdapter
      readonly to: ProviderUser
    }
  | { readonly ok: false; readonly code: 'channel' | 'disabled' | 'window' | 'forgotten' }

interface ReceiverParts {
  readonly channels: Channels
  readonly channelsOf: (
    bot: string,
  ) => Promise<readonly { readonly id: string; readonly type: string; readonly name: string }[]>
  readonly personOf: (channel: string, user: string) => Promise<string>
  readonly index: Pick<ExchangeIndex, 'lastWord'>
  readonly now: () => number
}

/** `channel:address`, the channel by id, name, type or kind (whatsapp); other text: an address on the same channel. */
const DESTINATION = /^([\p{L}][\p{L}\p{N} _-]{0,80}|[0-9a-f-]{36}):(.{1,200})$/u

const addressed = async (
  { channelsOf }: ReceiverParts,
  { bot, channel }: FoldedConversation,
  destination: string,
): Promise<{ readonly channel: string; readonly address: string } | undefined> => {
  const [, named, address] = DESTINATION.exec(destination) ?? []
  if (named === undefined || address === undefined) return { channel, address: destination }
  const wanted = named.toLowerCase()
  const found = (await channelsOf(bot)).find(
    ({ id, type, name }) =>
      id === wanted || type === wanted || name.toLowerCase() === wanted || type.startsWith(`${wanted}_`),
  )
  return found === undefined ? undefined : { channel: found.id, address: address.trim() }
}

/** On WhatsApp the id of a person is the number alone. */
const userIdOf = (type: string, address: string): string =>
  isWhatsapp(type) && /^\+?[\d\s()-]{7,25}$/u.test(address) ? address.replace(/\D/gu, '') : address

/** Finds the channel and the person of a message (RUNTIME 36), and whether it may be sent now (C-9.08, D-4.01). */
export const findReceiver = async (
  parts: ReceiverParts,
  held: FoldedConversation,
  destination: string | undefined,
): Promise<Receiver> => {
  const { channels, index, now, personOf } = parts
  if (destination === undefined && held.user.id === '') return { ok: false, code: 'forgotten' }
  const wanted =
    destination === undefined
      ? { channel: held.channel, address: held.user.id }
      : await addressed(parts, held, destination)
  const channel = wanted === undefined ? undefined : await channels.get(wanted.channel)
  if (wanted === undefined || channel === undefined || channel.bot !== held.bot) return { ok: false, code: 'channel' }
  if (!channel.isEnabled || channel.adapter === undefined) return { ok: false, code: 'disabled' }
  const id = destination === undefined ? wanted.address : userIdOf(channel.type, wanted.address)
  const hours = channelType(channel.type)?.windowHours
  if (hours !== undefined) {
    const own = held.messages.findLast(({ from }) => from === 'user' && destination === undefined)
    const last = Math.max(
      own === undefined ? 0 : Date.parse(own.time),
      index.lastWord(channel.id, await personOf(channel.id, id)),
    )
    if (now() - last > hours * HOUR_MS) return { ok: false, code: 'window' }
  }
  const to: ProviderUser = destination === undefined ? held.user : { id }
  return { ok: true, channel, adapter: channel.adapter, to }
}
