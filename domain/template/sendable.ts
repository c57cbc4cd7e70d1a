import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import { templateVariables } from '../campaign/message-body.ts'
import { hindranceOf, isSendableThere, registrationOf, templateOf } from './template.ts'

type Fields = Readonly<Record<string, Json>>

/** A channel whose number sends templates; `metaaccount` is empty where it uses no account. */
export interface SendingChannel {
  readonly id: string
  readonly metaaccount: string
}

/** Whether a template is registered at the number of a channel: at the channel, or at the account that it uses. */
export const isRegisteredAt = (template: { readonly [name: string]: unknown }, channel: SendingChannel): boolean => {
  const account = fieldText(template, 'metaaccount')
  return fieldText(template, 'channel') === channel.id || (account !== '' && account === channel.metaaccount)
}

/** Variables that need a value. */
export const neededVariables = (fields: Fields): readonly string[] =>
  templateVariables(templateOf(fields), registrationOf(fields))

/** Variables of a template without a value. */
export const missingValues = (fields: JsonObject, values: Readonly<Record<string, string>>): readonly string[] =>
  neededVariables(fields).filter(name => (values[name] ?? '').trim() === '')

/** Whether a template may be sent now, and its provider can carry all of it. */
export const isUsable = (fields: Fields): boolean =>
  isSendableThere(fields) && hindranceOf(templateOf(fields), registrationOf(fields)) === undefined

/** A template as flows of a bot may use it. */
export interface FlowTemplate {
  /** One of the bot's channels can send it now. */
  readonly isSendable: boolean
  readonly variables: readonly string[]
}

export const flowTemplate = (fields: Fields, channels: readonly SendingChannel[]): FlowTemplate => ({
  isSendable: isUsable(fields) && channels.some(channel => isRegisteredAt(fields, channel)),
  variables: neededVariables(fields),
})
