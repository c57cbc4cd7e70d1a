import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Parts } from '../port.ts'
import type { ExchangingConversations } from '../runtime/conversation/compose-conversations.ts'
import { openAudience, type StoredAudience } from './open-audience.ts'

/** Audiences, opened with the first contact unless there are some. */
export interface Audiences {
  /** Opens the log where it was not opened before. */
  begun(): Promise<StoredAudience>
  close(): Promise<void>
}

/** The audiences of a gateway, in the log that conversations have (docs/adr/0022), with an index beside theirs. */
export const composeAudience = (
  { keys, log }: Pick<Parts, 'keys' | 'log'>,
  folder: string,
  conversations: Pick<ExchangingConversations, 'log'>,
  isShared: boolean,
): Audiences => {
  const place = join(folder, 'conversations')
  const file = join(place, 'audience.sqlite')
  let opening: Promise<StoredAudience> | undefined
  const begun = (): Promise<StoredAudience> => {
    opening ??= open().catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }
  const open = async () => {
    const store = await conversations.log()
    mkdirSync(place, { recursive: true, mode: 0o700 })
    return openAudience({ store, keys, file, failed: error => log.error(error) })
  }
  if (isShared || existsSync(file)) begun().catch(error => log.error(error))
  return {
    begun,
    async close() {
      const opened = await opening?.catch(() => undefined)
      await opened?.close()
    },
  }
}
