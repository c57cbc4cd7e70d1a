import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { countEvents } from '#commands/store/embedded/event-file.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import { upcast } from '#commands/upcasters/upcast.ts'
import { openReadModels } from '#projections/open-read-models.ts'
import type { ReadModels } from '#projections/port.ts'
import type { Settings } from '#schemas/settings.ts'
import type { Run } from './command.ts'
import { type OpenFolder, openFolder } from './open-folder.ts'
import { openProgress } from './progress.ts'

const POLL_INTERVAL_MS = 50

/** Opens the read models of a folder and waits until they are current. `events`: their number, for progress. */
export const openCaughtUpReadModels = async (
  { folder, store, keys }: OpenFolder,
  settings: Settings,
  events: number,
) => {
  const progress = openProgress('Building the read models')
  let seen = 0
  const read = await openReadModels({
    store: counting(store, () => {
      seen += 1
    }),
    folder: join(folder, 'projections'),
    decryptPersonal: keys.personal.decrypt,
    allowLevel1DefaultAccess: settings.ALLOW_LEVEL1_DEFAULT_ACCESS,
    upcast,
    queryWorkers: 1,
  })
  try {
    const head = await store.head()
    while (!isThere(read, head)) {
      progress.at(seen - read.status().behind, events)
      await pause(POLL_INTERVAL_MS)
    }
    progress.done('they show the whole log')
    return read
  } catch (error) {
    await read.close()
    throw error
  }
}

const isThere = (read: ReadModels, head: string): boolean => {
  const { ready, position, reason } = read.status()
  if (reason?.startsWith('the read models stopped')) throw new Error(reason)
  return ready && (head === START || position >= head)
}

const counting = (store: EventStore, count: () => void): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'subscribe') return member.bind(target)
      const subscribe: EventStore['subscribe'] = (after, subscriber, filter) =>
        target.subscribe(
          after,
          {
            ...subscriber,
            event: event => {
              count()
              return subscriber.event(event)
            },
          },
          filter,
        )
      return subscribe
    },
  })

/** `parley rebuild`: the read models are made from the log alone. */
export const rebuild: Run = async ({ settings }) => {
  await using open = await openFolder(settings)
  rmSync(join(open.folder, 'projections'), { recursive: true, force: true })
  const read = await openCaughtUpReadModels(open, settings, countEvents(open.folder))
  await read.close()
  process.stdout.write('The read models were rebuilt.\n')
  return 0
}
