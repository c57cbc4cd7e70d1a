import type { Commands } from '#commands/command-handler.ts'
import { isSimulated } from '#domain/campaign/simulated-number.ts'
import { channelType, SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import type { Call } from '../../outbound/call.ts'
import type { TemplateSender } from '../channel-port.ts'
import type { Channels, ProviderChannel } from '../open-channels.ts'
import { graphUrl, openAccount, openGraph } from '../shared/graph.ts'
import { field } from '../shared/provider-call.ts'
import type { TemplateMedia } from './template-media.ts'

/** The account or the channel that templates are sent from; the other one is empty. */
export interface SenderSource {
  readonly metaaccount: string
  readonly channel: string
}

export const sourceOf = (fields: { readonly [name: string]: unknown }): SenderSource => ({
  metaaccount: fieldText(fields, 'metaaccount'),
  channel: fieldText(fields, 'channel'),
})

/** A number that sends templates. */
export interface OpenedSender {
  readonly sender: TemplateSender
  /** `phone_number_id` at Meta, else type and address of the channel: what a pace and a lease belong to. */
  readonly number: string
  /** Numbers of one portfolio share a messaging limit. */
  readonly portfolio: string
  /** Fields of the account with its messaging limit; empty for a channel. */
  readonly account: JsonObject
  /** It writes to personas alone, and others write to people alone: `sender` refuses the rest. */
  readonly isSimulated: boolean
}

export interface TemplateSenders {
  /** Undefined when the source does not exist, is disabled, or sends no templates. */
  open(source: SenderSource): Promise<OpenedSender | undefined>
}

/** Number and portfolio of an account. */
const accountNumber = (account: JsonObject) => ({
  number: fieldText(account, 'phone_number_id'),
  portfolio: fieldText(account, 'business_id') || fieldText(account, 'waba_id'),
})

/** Letters and digits of a channel's address, with its type; its id where it has no address. */
const channelNumber = ({ type, id, fields }: ProviderChannel): string => {
  const address = field(fields, channelType(type)?.address ?? '').replaceAll(/[^A-Za-z\d]/gu, '')
  if (type === 'whatsapp_meta') return address
  return `${type}-${address === '' ? id : address}`
}

/** Loaded with the first sender, as the adapters of channels are. */
const loadSenders = () => import('./template-sender.ts')

interface SendersParts {
  readonly call: Call
  readonly commands: Pick<Commands, 'openFields'>
  readonly channels: Pick<Channels, 'get'>
  readonly media: TemplateMedia
  /** Meta's Graph API with its version. */
  readonly graphUrl: string
  readonly failed: (error: unknown) => void
}

export const openTemplateSenders = (parts: SendersParts): TemplateSenders => {
  const { call, commands, channels } = parts
  const graph = openGraph(call, parts.graphUrl)

  const ofAccount = async (id: string): Promise<OpenedSender | undefined> => {
    const account = await openAccount(commands, id)
    if (account === undefined) return undefined
    const { fields, credentials } = account
    const known = accountNumber(fields)
    const { metaTemplateSender } = await loadSenders()
    const own = { account: fields, isSimulated: isSimulated(fields) }
    return { ...known, ...own, sender: metaTemplateSender(parts, graph, credentials, known.number) }
  }

  const ofChannel = async (id: string): Promise<OpenedSender | undefined> => {
    const channel = await channels.get(id)
    if (channel?.isEnabled !== true) return undefined
    const { type, fields } = channel
    if (type === SIMULATED_TYPE) return ofAccount(field(fields, 'metaaccount'))
    const number = channelNumber(channel)
    const { channelTemplateSender, metaTemplateSender } = await loadSenders()
    const isInside = fields.isSimulated === true
    const tokens = { token: field(fields, 'auth_token'), appSecret: field(fields, 'app_secret') }
    const credentials = { ...tokens, isSimulated: isInside }
    const sender =
      type === 'whatsapp_meta'
        ? metaTemplateSender(parts, openGraph(call, graphUrl(fields)), credentials, number)
        : channelTemplateSender(parts, channel, number)
    return sender === undefined ? undefined : { sender, number, portfolio: number, account: {}, isSimulated: isInside }
  }

  return { open: ({ metaaccount, channel }) => (channel === '' ? ofAccount(metaaccount) : ofChannel(channel)) }
}
