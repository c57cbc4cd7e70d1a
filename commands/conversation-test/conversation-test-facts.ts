import type { ConversationTestFacts } from '#domain/conversation-test/behaviour.ts'
import type { BotNames } from '#domain/conversation-test/check-names.ts'
import { rootName } from '#domain/flow/variable/variable-use.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { isObject } from '#schemas/json.ts'
import type { CommandContext, LoadFacts } from '../pipeline/command-context.ts'
import { awaitLookup } from '../process/descendants.ts'
import { liveChildren } from '../version/capture-version.ts'
import { flowsOf } from './run-stored-test.ts'

/** Members of a block that name the variable it writes. */
const WRITES = new Set(['varname', 'resultVariable', 'errorVariable'])

const writtenIn = (value: unknown, found: Set<string>): void => {
  if (Array.isArray(value)) for (const item of value) writtenIn(item, found)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') writtenIn(member, found)
    else if (WRITES.has(key) && typeof member === 'string' && member !== '') found.add(rootName(member))
  }
}

/** The variables of an assignment. */
const assignedIn = (properties: unknown, found: Set<string>): void => {
  if (!isObject(properties) || !Array.isArray(properties.variables)) return
  for (const item of properties.variables) {
    const name: unknown = isObject(item) ? item.name : item
    if (typeof name === 'string' && name !== '') found.add(rootName(name))
  }
}

/** Names in a bot that its tests may use, from its live flows. */
const botNames = async (context: CommandContext, bot: string): Promise<BotNames> => {
  await awaitLookup(context)
  const { tasks, dialogs, handlers } = await flowsOf(context, bot)
  const declared = await liveChildren(context, 'bot', bot, 'variable')
  const blocks: { id: string; name: string }[] = []
  const variables = new Set(declared.map(({ fields }) => String(fields.name ?? '')))
  for (const { id } of dialogs) {
    const { state } = await context.flows.stored(id)
    const file = JSON.parse(await context.flows.work.perform({ do: 'file', state, hasScript: false })) as FlowFile
    for (const [block, { title, properties }] of Object.entries(file.operators)) {
      blocks.push({ id: block, name: typeof title === 'string' ? title : '' })
      writtenIn(properties, variables)
      assignedIn(properties, variables)
    }
  }
  const named = ({ id, fields }: (typeof tasks)[number]) => ({ id, name: String(fields.name ?? '') })
  return {
    tasks: tasks.map(named),
    dialogs: dialogs.map(named),
    handlers: handlers.map(named),
    blocks,
    variables: [...variables],
  }
}

/** Errors of a file, where one is written. */
export const loadConversationTestFacts: LoadFacts<ConversationTestFacts> = async (
  context,
  { command },
  state,
  fields,
) => {
  const { file } = fields
  if (typeof file !== 'string') return {}
  const held = state.status === 'live' || state.status === 'removed' ? state.fields.bot : fields.bot
  const names = typeof held === 'string' ? await botNames(context, held) : undefined
  return { errors: await context.checks.testFile(file, names, command.caller.level) }
}
