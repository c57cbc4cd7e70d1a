import { resolve } from 'node:path'
import { StoreUnavailable } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'

/** The folder of the embedded store. @throws with one line if the events are on a server */
export const embeddedFolder = ({ EVENTSTORE_URL, PARLEY_DATA }: Settings): string => {
  if (EVENTSTORE_URL === undefined) return resolve(PARLEY_DATA)
  throw new StoreUnavailable(
    'This is for the embedded store, and EVENTSTORE_URL is set: docs/operations.md says what to do',
  )
}
