import { ModelFolder } from './model-file.ts'
import type { ReadModels } from './port.ts'
import { QueryPool } from './query-pool.ts'

export type ServedAudit = Pick<ReadModels, 'audit' | 'close'>

/**
 * Audit of a running node, read from its file; later writes of the node are visible. @throws Error with one line when
 * there is no such file
 */
export const openServedAudit = (folder: string): ServedAudit => {
  const file = new ModelFolder(folder).pointed()
  if (file === undefined) throw new Error(`There are no read models in ${folder} yet`)
  const pool = new QueryPool(file, 1)
  return {
    audit: (...args) => pool.ask('audit', args) as ReturnType<ReadModels['audit']>,
    close: () => pool.close(),
  }
}
