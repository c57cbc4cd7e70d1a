import type { StoredFile } from '#commands/file/port.ts'
import type { JsonObject } from '#schemas/event.ts'

const MAX_NAME = 255
const OWNER = 'chat '

/** Owner of a conversation's uploads in the storage: never the id of a user. */
export const ownerOf = (conversation: string): string => OWNER + conversation

/** The conversation that owns an upload; undefined if a user owns it. */
export const conversationOf = (owner: string): string | undefined =>
  owner.startsWith(OWNER) ? owner.slice(OWNER.length) : undefined

/** A file as the bot and the history show it. */
export const attachmentOf = ({ id, name, type, size }: StoredFile, baseUrl: string): JsonObject => ({
  id,
  name,
  contentType: type,
  size,
  contentUrl: `${baseUrl}/chat/files/${id}`,
})

/** Removes control characters and the folders of the person's machine. */
export const shownName = (given: string): string => {
  const last = given.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  const name = last.replace(/[\p{Cc}\u2028\u2029]/gu, '').trim()
  return name === '' ? 'file' : name.slice(-MAX_NAME).toWellFormed()
}
