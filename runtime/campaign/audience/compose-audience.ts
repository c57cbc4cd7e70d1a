import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fieldErrorText } from '#runtime/localized-text.ts'
import type { ConversationsWithExchange } from '../../conversation/compose-conversations.ts'
import type { RuntimeParts } from '../../parts.ts'
import { TestNumbers } from '../test-send/test-numbers.ts'
import { AudienceJobs } from './audience-jobs.ts'
import { openAudience, type StoredAudience } from './open-audience.ts'
import { UploadRecord } from './upload/upload-state.ts'
import { Uploads } from './upload/uploads.ts'

interface Opened {
  readonly audience: StoredAudience
  readonly uploads: Uploads
  readonly testNumbers: TestNumbers
}

/** Audiences. Their log is opened at the start if there are some, else with the first contact. */
export interface Audiences {
  /** Opens the log unless it is open. */
  begun(): Promise<StoredAudience>
  uploads(): Promise<Uploads>
  testNumbers(): Promise<TestNumbers>
  /** Work over many contacts. */
  readonly jobs: AudienceJobs
  /** Removes expired data. */
  sweep(): Promise<number>
  close(): Promise<void>
}

/** The audiences of a gateway, in the conversation log (docs/adr/0022), with an index beside its indexes. */
export const composeAudience = (
  {
    keys,
    log,
    store: console,
    storage,
    read,
    work,
  }: Pick<RuntimeParts, 'keys' | 'log' | 'store' | 'storage' | 'read' | 'work'>,
  folder: string,
  conversations: Pick<ConversationsWithExchange, 'log'>,
  isShared: boolean,
): Audiences => {
  const place = join(folder, 'conversations')
  const file = join(place, 'audience.sqlite')
  const failed = (error: unknown) => log.error(error)
  const jobs = new AudienceJobs(failed)
  let opening: Promise<Opened> | undefined
  const begun = (): Promise<Opened> => {
    opening ??= open().catch(error => {
      opening = undefined
      throw error
    })
    return opening
  }
  const open = async (): Promise<Opened> => {
    const store = await conversations.log()
    mkdirSync(place, { recursive: true, mode: 0o700 })
    const audience = await openAudience({ store, keys, file, failed })
    const uploads = new Uploads({
      ...{ record: new UploadRecord(console), store, audience, storage, read, isAlone: !isShared, failed },
      work,
      textOf: fieldErrorText,
    })
    return { audience, uploads, testNumbers: new TestNumbers(audience, store, Date.now) }
  }
  if (isShared || existsSync(file)) begun().catch(failed)
  return {
    begun: async () => (await begun()).audience,
    uploads: async () => (await begun()).uploads,
    testNumbers: async () => (await begun()).testNumbers,
    jobs,
    sweep: async () => (opening === undefined ? 0 : (await begun()).uploads.sweep()),
    async close() {
      await jobs.close()
      const opened = await opening?.catch(() => undefined)
      await opened?.uploads.close()
      await opened?.audience.close()
    },
  }
}
