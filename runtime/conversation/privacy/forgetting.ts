import type { FileStorage } from '../../storage/port.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'
import type { Words } from '../engine/words.ts'
import type { ConversationIndex } from '../index/index-file.ts'
import type { EarlierMessages } from '../store/earlier-messages.ts'
import type { ConversationLog } from '../store/log.ts'

interface Holders {
  readonly log: ConversationLog
  readonly messages: EarlierMessages
  readonly index: ConversationIndex
  readonly words: Words
  readonly files: Pick<FileStorage, 'removeOf'> | undefined
  now(): number
}

/** Evicts all texts of a person from the memory of this node. */
export const letGoOf = async (person: string, { log, messages, index }: Omit<Holders, 'words' | 'files' | 'now'>) => {
  for (const id of index.ofPerson(person)) {
    await log.evict(id)
    messages.lose(id)
  }
}

/** Removes the files of a person. Each node does it, because the one that forgets may end before. */
export const removeFilesOf = async (conversations: readonly string[], files: Holders['files']): Promise<void> => {
  for (const id of conversations) await files?.removeOf(id)
}

/** Destroys the key of a person; nodes that hold texts of the person are notified and evict them (RUNTIME 84). */
export const forgetPerson = async ({ id, person }: FoldedConversation, holders: Holders): Promise<void> => {
  const { log, words, now } = holders
  await words.drop(person)
  await log.write(id, () => [{ type: 'PersonForgotten', data: {}, cause: `${id} forgotten`, time: now() }])
  await letGoOf(person, holders)
  await removeFilesOf(holders.index.ofPerson(person), holders.files)
}
