import type { Lookup } from '#commands/port.ts'
import type { EventStore } from '#commands/store/port.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { ModelFolder } from './model-file.ts'
import { NodeReadModels } from './node-read-models.ts'
import type { ReadModels } from './port.ts'
import type { DecryptPersonal } from './read-event.ts'
import { tableOf } from './table.ts'

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

/** Opens the read models of this node; answers at once, from what was shown last, and catches up meanwhile. */
export const openReadModels = async (options: ReadModelsOptions): Promise<ReadModels & Lookup> => {
  const declarations = Object.values<EntityDeclaration>(options.entities ?? ENTITIES)
  const models = new NodeReadModels(new ModelFolder(options.folder), declarations.map(tableOf), options)
  await models.open()
  return models
}
