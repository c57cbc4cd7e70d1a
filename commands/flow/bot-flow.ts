import type { EntityDeclaration } from '#schemas/entity.ts'
import { awaitLookup, type CommandContext } from '../pipeline/command-context.ts'
import type { Loader } from '../pipeline/load.ts'
import { liveChildren } from '../version/capture-version.ts'

/** A dialog or handler of a bot, with its task. */
export interface BotFlow {
  readonly kind: 'dialog' | 'handler'
  readonly id: string
  readonly name: string
  readonly dialogtask: { readonly id: string; readonly name: string }
}

const KINDS = ['dialog', 'handler'] as const

const nameOf = ({ fields }: { readonly fields: Readonly<Record<string, unknown>> }) => String(fields.name ?? '')

/** Every live flow of a bot, or of one task of it, task by task and by name. */
export const flowsOfBot = async (context: CommandContext, bot: string, task?: string): Promise<readonly BotFlow[]> => {
  await awaitLookup(context)
  const flows: BotFlow[] = []
  for (const each of await liveChildren(context, 'bot', bot, 'dialogtask')) {
    if (task !== undefined && each.id !== task) continue
    const dialogtask = { id: each.id, name: nameOf(each) }
    for (const kind of KINDS) {
      const found = await liveChildren(context, 'dialogtask', each.id, kind)
      flows.push(...found.map(flow => ({ kind, id: flow.id, name: nameOf(flow), dialogtask })))
    }
  }
  return flows
}

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
