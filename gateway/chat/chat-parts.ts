import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Conversations } from '#runtime/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { singleId } from '#schemas/single.ts'
import type { Parts } from '../port.ts'
import { readChatLook } from './chat-look.ts'
import type { ChatChannel, ChatParts } from './port.ts'
import { createRefusedOrigins } from './refused-origins.ts'

const MAX_CHANNELS = 1_000
const DEFAULT_HISTORY = 20

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

const channelOf = (id: string, fields: JsonObject): ChatChannel => ({
  id,
  bot: text(fields.bot),
  type: text(fields.type),
  isEnabled: fields.enable !== false,
  verifyToken: text(fields.channel_verify_token),
  origins: text(fields.channel_origin)
    .split(';')
    .map(origin => origin.trim())
    .filter(origin => origin !== ''),
  deniedTypes: texts(fields.deny_attachment_types),
})

/** Channels with their secrets in clear, kept while their row does not change. */
const openChannels = ({ read, commands }: Pick<Parts, 'read' | 'commands'>): ChatParts['channel'] => {
  const kept = new Map<string, { readonly revision: number; readonly channel: ChatChannel }>()
  return async id => {
    const row = await read.detail(SYSTEM_SCOPE, 'channel', id)
    if (row === undefined) return undefined
    const known = kept.get(id)
    if (known?.revision === row.revision) return known.channel
    const fields = await commands.openFields('channel', id)
    if (fields === undefined) return undefined
    const channel = channelOf(id, fields)
    if (kept.size >= MAX_CHANNELS) kept.clear()
    kept.set(id, { revision: row.revision, channel })
    return channel
  }
}

const openAppearance =
  ({ read, settings, publicUrl }: Parts): ChatParts['appearance'] =>
  async ({ id, bot }) => {
    const [setting, row] = await Promise.all([
      read.detail(SYSTEM_SCOPE, 'conversationsetting', singleId('conversationsetting', bot)),
      read.detail(SYSTEM_SCOPE, 'bot', bot),
    ])
    const base = settings.BOT_ROUTER_URL ?? publicUrl()
    const shown = row === undefined ? undefined : await readChatLook(read, row, { channel: id, base })
    const length = setting?.history_length
    return {
      theme: shown === undefined ? null : { ...shown.look },
      menu: (shown?.menu ?? []).map(entry => ({ ...entry })),
      historyLength: typeof length === 'number' ? length : DEFAULT_HISTORY,
      isRemembered: setting?.remember_user_on_reload !== false,
    }
  }

/** The chat of a gateway, over the conversations that it holds. */
export const chatParts = (parts: Parts, conversations: Conversations): ChatParts => ({
  settings: parts.settings,
  rates: parts.rates,
  log: parts.log,
  conversations,
  storage: parts.storage,
  hmac: content => parts.keys.index.hmac(content),
  channel: openChannels(parts),
  appearance: openAppearance(parts),
  refusedOrigin: createRefusedOrigins(parts.botLog),
  baseUrl: () => parts.settings.BOT_ROUTER_URL ?? parts.publicUrl(),
})
