import type { EventStore } from '#commands/store/port.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { StoredEvent } from '#schemas/event.ts'
import type { DecryptPersonal } from './read-event.ts'

export interface ReadModelsOptions {
  readonly store: EventStore
  /** Where the files of read models lie; the node's own. */
  readonly folder: string
  /** Opens personal values of users; without it they are taken as they stand in the events. */
  readonly decryptPersonal?: DecryptPersonal
  /** Lifts an event to the newest known shape; throws when it is of a newer one. */
  readonly upcast?: (event: StoredEvent) => StoredEvent
  readonly entities?: Readonly<Record<string, EntityDeclaration>>
  readonly allowLevel1DefaultAccess?: boolean
  /** Default 2. */
  readonly queryWorkers?: number
  /** One line for whoever runs the node: rebuilt, damaged, stopped. */
  readonly log?: (line: string) => void
}
