import type { RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { isSameSecret } from '#runtime/channel/shared/signature.ts'
import type { Parts } from '../port.ts'

/** Letters of the signature: 128 bits. */
const SIGNATURE = 32

type DraftParts = Pick<Parts, 'keys' | 'read'>

/** Until when the link to a draft works; undefined where there is none. */
const endOf = ({ sharedraftuntil: until }: RowOf<'dialog'>): string | undefined =>
  until !== null && Date.parse(until) > Date.now() ? until : undefined

/**
 * The link is not stored: it is signed with the time of its end, which the dialog holds. A change of that time ends all
 * earlier links.
 */
const signatureOf = async ({ keys }: DraftParts, dialog: string, until: string): Promise<string> =>
  (await keys.index.hmac(JSON.stringify(['draft link', dialog, until]))).slice(0, SIGNATURE)

/** Token of the link to a dialog's draft; undefined where it has none. */
export const draftToken = async (parts: DraftParts, dialog: RowOf<'dialog'>) => {
  const until = endOf(dialog)
  return until === undefined
    ? undefined
    : { token: `${dialog.id}.${await signatureOf(parts, dialog.id, until)}`, until }
}

/** A draft that a link leads to. */
export interface LinkedDraft {
  readonly dialog: RowOf<'dialog'>
  readonly bot: RowOf<'bot'>
  readonly until: string
  readonly token: string
}

/** The draft of a token whose link works. */
export const linkedDraft = async (parts: DraftParts, token: string): Promise<LinkedDraft | undefined> => {
  const [id = '', signature = '', ...rest] = token.split('.')
  const dialog = rest.length > 0 ? undefined : await parts.read.detail(SYSTEM_SCOPE, 'dialog', id.toWellFormed())
  const until = dialog && endOf(dialog)
  if (dialog === undefined || until === undefined) return undefined
  if (!isSameSecret(signature, await signatureOf(parts, id, until))) return undefined
  const task = await parts.read.detail(SYSTEM_SCOPE, 'dialogtask', dialog.dialogtask)
  const bot = task && (await parts.read.detail(SYSTEM_SCOPE, 'bot', task.bot))
  return bot === undefined ? undefined : { dialog, bot, until, token }
}
