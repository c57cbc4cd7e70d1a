import type { Commands } from '#commands/command-handler.ts'
import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '../../ml/read-answer.ts'
import type { GraphCredentials } from './graph.ts'

/** An account with its app and decrypted secrets. */
export interface OpenAccount {
  readonly id: string
  readonly fields: JsonObject
  readonly app: JsonObject
  readonly credentials: GraphCredentials
}

/** Returns undefined when the account does not exist. */
export const openAccount = async (
  commands: Pick<Commands, 'openFields'>,
  id: string,
): Promise<OpenAccount | undefined> => {
  const fields = await commands.openFields('metaaccount', id)
  const app = fields === undefined ? undefined : await commands.openFields('metaapp', fieldText(fields, 'metaapp'))
  if (fields === undefined || app === undefined) return undefined
  const credentials = { token: fieldText(fields, 'access_token'), appSecret: fieldText(app, 'app_client_secret') }
  return { id, fields, app, credentials }
}
