import { type ExpressionSettings, PARSERS, PATH_PARSERS } from '#domain/expression/engine.ts'
import { type FlowScope, isWithinReach, type Reference } from '#domain/flow/graph/references.ts'
import type { LintContext } from '#domain/flow/lint/lint-flow.ts'
import { declaredVariables } from '#domain/flow/variable/variable-fit.ts'
import { type FlowTemplate, flowTemplate } from '#domain/template/sendable.ts'
import { optionalText, textAt } from '#schemas/json.ts'
import { type CommandContext, isVisible } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { liveChildren } from '../version/capture-version.ts'

/**
 * Existing targets of a flow, as the caller and the designer's panel see them. Targets the caller may not read count as
 * existing.
 */
export const findExistingReferences = async (
  context: CommandContext,
  caller: Caller,
  pointed: readonly Reference[],
  around: FlowScope,
): Promise<LintContext> => {
  const known: { [Kind in Reference['to']]?: Set<string> } = {}
  const templates = new Map<string, FlowTemplate>()
  for (const reference of pointed) {
    const { to, id } = reference
    const ids = known[to] ?? new Set<string>()
    known[to] = ids
    const isKnown =
      !caller.permits(`read${to}`) ||
      (await canBeReached(context, caller, reference, around)) ||
      (to === 'oauth' && (await isNamedInBot(context, to, id, around.bot)))
    if (isKnown) ids.add(id)
    const template = isKnown && to === 'template' ? await templateOfFlow(context, id, around.bot) : undefined
    if (template !== undefined) templates.set(id, template)
  }
  return templates.size === 0 ? known : { ...known, templates }
}

/** A live template as flows of a bot may use it. */
const templateOfFlow = async (
  context: CommandContext,
  id: string,
  bot: string | undefined,
): Promise<FlowTemplate | undefined> => {
  const entity = context.entityOf('template')
  const state = entity && (await context.loader.load(entity, id)).state
  if (state?.status !== 'live' || bot === undefined) return undefined
  const channels = await liveChildren(context, 'bot', bot, 'channel')
  return flowTemplate(
    state.fields,
    channels.map(({ id: channel, fields }) => ({ id: channel, metaaccount: textAt(fields, 'metaaccount') })),
  )
}

/** Whether a bot has a thing of this name. */
const isNamedInBot = async (context: CommandContext, entity: string, name: string, bot: string | undefined) =>
  bot !== undefined && (await liveChildren(context, 'bot', bot, entity)).some(({ fields }) => fields.name === name)

const canBeReached = async (context: CommandContext, caller: Caller, { to, id }: Reference, around: FlowScope) => {
  const entity = context.entityOf(to)
  if (entity === undefined) return false
  const { state } = await context.loader.load(entity, id)
  if (state.status !== 'live' || !isVisible(caller, entity, state)) return false
  return isWithinReach(to, await surroundingsOf(context, to, id), around)
}

/** Variables that blocks of a flow may assign; empty for callers who may not read variables. */
export const knownVariables = async (
  context: CommandContext,
  caller: Caller,
  { kind, id, dialogtask, bot }: FlowScope & { readonly kind: string; readonly id: string },
): Promise<Pick<LintContext, 'declared'>> => {
  if (bot === undefined || !caller.permits('readvariable')) return {}
  const variables = (await liveChildren(context, 'bot', bot, 'variable')).map(({ fields }) => ({
    name: String(fields.name ?? ''),
    datatype: optionalText(fields.datatype),
    schema: optionalText(fields.schema),
    task: optionalText(fields.task),
    dialog: optionalText(fields.dialog),
  }))
  return { declared: declaredVariables(variables, { task: dialogtask, dialog: kind === 'dialog' ? id : undefined }) }
}

export const expressionSettingsOf = async (
  context: CommandContext,
  bot: string | undefined,
): Promise<ExpressionSettings> => {
  const entity = context.entityOf('bot')
  const state = entity && bot !== undefined ? (await context.loader.load(entity, bot)).state : undefined
  const fields = state?.status === 'live' ? state.fields : {}
  return {
    parser: PARSERS.find(name => name === fields.expressionparser) ?? PARSERS[0],
    pathParser: PATH_PARSERS.find(name => name === fields.jsonpathparser) ?? PATH_PARSERS[0],
  }
}

/** Task and bot of a live entity. */
export const surroundingsOf = async (context: CommandContext, kind: string, id: string): Promise<FlowScope> => {
  const fieldsOf = async (name: string, of: string) => {
    const entity = context.entityOf(name)
    const state = entity && (await context.loader.load(entity, of)).state
    return state?.status === 'live' ? state.fields : {}
  }
  const fields = await fieldsOf(kind, id)
  const dialogtask = optionalText(fields.dialogtask)
  if (dialogtask === undefined) return { bot: optionalText(fields.bot) }
  return { dialogtask, bot: optionalText((await fieldsOf('dialogtask', dialogtask)).bot) }
}
