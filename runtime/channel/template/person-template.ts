import type { Commands } from '#commands/command-handler.ts'
import { fillTemplate } from '#domain/campaign/message-body.ts'
import type { MessageTemplate } from '#domain/conversation/message.ts'
import { isRegisteredAt, isUsable, missingValues } from '#domain/template/sendable.ts'
import { registrationOf, templateOf } from '#domain/template/template.ts'
import { fieldText } from '#schemas/json.ts'
import type { Outcome, ProviderUser, SendResult } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import type { TemplateSenders } from './open-senders.ts'

const outcomeOf = (result: SendResult): Outcome => {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'sent', id: result.id }
    case 'again':
      return { kind: 'retry', after: result.after ?? 0, code: result.reason }
    case 'unknown':
      return { kind: 'unknown', code: result.reason }
    default:
      return { kind: 'final', code: result.reason }
  }
}

const NUMBER = /^\+?(\d{7,15})$/u

interface PersonTemplateParts {
  readonly commands: Pick<Commands, 'openFields'>
  readonly senders: TemplateSenders
  /** Whether the person stopped messages of a category that come by this channel. */
  readonly isStopped: (channel: ProviderChannel, phone: string, category: string) => Promise<boolean>
}

/** Sends templates in conversations, in place of words that the channel does not take any more. */
export const openPersonTemplates =
  ({ commands, senders, isStopped }: PersonTemplateParts) =>
  async (
    channel: ProviderChannel,
    { id, data }: ProviderUser,
    { id: template, values }: MessageTemplate,
    key: string,
  ): Promise<Outcome> => {
    const fields = await commands.openFields('template', template)
    const at = { id: channel.id, metaaccount: fieldText(channel.fields, 'metaaccount') }
    if (fields === undefined || !isRegisteredAt(fields, at) || !isUsable(fields))
      return { kind: 'final', code: 'template' }
    // A value may be empty at the moment of sending: providers refuse such a message.
    if (missingValues(fields, values).length > 0) return { kind: 'final', code: 'template.values' }
    const phone = NUMBER.exec(fieldText(data ?? {}, 'phone') || id)?.[1]
    if (phone === undefined) return { kind: 'final', code: 'recipient' }
    if (await isStopped(channel, phone, fieldText(fields, 'category'))) return { kind: 'final', code: 'optout' }
    const opened = await senders.open({ metaaccount: '', channel: channel.id })
    if (opened === undefined) return { kind: 'final', code: 'template' }
    const message = fillTemplate(templateOf(fields), new Map(Object.entries(values)), registrationOf(fields))
    return outcomeOf(await opened.sender.send(message, `+${phone}`, key))
  }
