import type { EntityDeclaration } from '#schemas/entity.ts'
import { clearReferences } from '../lookup/late-reference.ts'
import type { Author } from '../pipeline/author.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { awaitLookup } from './contents.ts'

/** The step that clears what still refers to a removed thing. The lookup is limited, so it is asked until nothing is left. */
export const clearHolders = async (context: CommandContext, author: Author, id: string): Promise<undefined> => {
  const gone = new Set([id])
  for (let round = 0; ; round += 1) {
    await awaitLookup(context)
    const { items } = await context.lookup.referrers([id])
    let cleared = 0
    for (const holder of items.filter(({ block }) => block === undefined)) {
      const entity: EntityDeclaration | undefined = context.entityOf(holder.entity)
      const seed = derivedId(author.seed, `${holder.id}:${round}`)
      const written = entity && (await clearReferences(context, { ...author, seed }, { entity, id: holder.id }, gone))
      if (written !== undefined) cleared += 1
    }
    if (cleared === 0) return
  }
}
