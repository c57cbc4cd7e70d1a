import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { ModelFolder } from './model-file.ts'
import { NodeReadModels, type ReadModelsOptions } from './node-read-models.ts'
import { tableOf } from './table-of.ts'

/**
 * Opens the read models of this node; answers at once, from what was shown last, and catches up meanwhile. `lookup` is
 * what commands look up.
 */
export const openReadModels = async (options: ReadModelsOptions): Promise<NodeReadModels> => {
  const declarations = Object.values<EntityDeclaration>(options.entities ?? ENTITIES)
  const models = new NodeReadModels(new ModelFolder(options.folder), declarations.map(tableOf), options)
  await models.open()
  return models
}
