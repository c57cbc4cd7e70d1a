import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Loader } from '../pipeline/load.ts'

const DRAWN = ['dialog', 'handler']

/** The level of the dialog or handler that a flow belongs to. */
export const levelOfFlow =
  (loader: Loader, entityOf: (name: string) => EntityDeclaration | undefined) =>
  async (flow: string): Promise<string | null> => {
    for (const name of DRAWN) {
      const entity = entityOf(name)
      const state = entity === undefined ? undefined : (await loader.load(entity, flow)).state
      if (state?.status === 'live' || state?.status === 'removed') return state.level
    }
    return null
  }
