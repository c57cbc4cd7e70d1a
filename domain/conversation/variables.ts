import { rootName, withAssigned } from '#domain/flow/variable/variable-use.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { own, record } from '#schemas/json.ts'
import { TURN_LIMITS } from './limits.ts'
import type { VariableSetting } from './release.ts'
import type { ConversationState, Frame } from './state.ts'
import { recordProblem, replaceFrame, type Turn, topFrame } from './turn.ts'

/** The frame whose locals a frame reads and writes. */
export const holderOf = (state: ConversationState, frame: Frame): Frame =>
  frame.localsOf === undefined ? frame : (state.frames.find(({ id }) => id === frame.localsOf) ?? frame)

const picked = (values: JsonObject, names: readonly string[]): JsonObject =>
  record(names.flatMap(name => (Object.hasOwn(values, name) ? [[name, values[name] ?? null] as const] : [])))

/**
 * Callers' answers that a frame may read: a caller's prompt shares them with frames of this kind, from
 * caller to caller. An interruption reads none.
 */
const sharedWith = (state: ConversationState, frame: Frame): JsonObject => {
  if (frame.kind === 'root' || frame.kind === 'interrupt') return {}
  const caller = state.frames[state.frames.findIndex(({ id }) => id === frame.id) - 1]
  if (caller === undefined) return {}
  const names = frame.kind === 'task' ? caller.shared.task : caller.shared.sub
  return picked({ ...sharedWith(state, caller), ...holderOf(state, caller).locals }, names)
}

/** The person in the format of imported flows: given and stored data, `source` is the channel unless they have one. */
const contactOf = ({ channel, user }: ConversationState, userdata: JsonObject): JsonObject => {
  const { id = '', ...told } = user
  const extras = { ...told, ...userdata }
  return { source: channel.type, ...extras, identity: id, extras }
}

/** Built-in variables, under the names of this product and of imported flows. */
const builtIn = (turn: Turn, userdata: JsonObject): JsonObject => {
  const { state, settings } = turn
  const { text, value, attachments } = state.said
  const message = { text, value, attachments: [...attachments], fromidentity: state.user.id ?? '' }
  return {
    input: {
      text: state.said.text,
      value: state.said.value,
      type: state.said.type,
      attachments: [...state.said.attachments],
      location: state.said.location,
      message,
    },
    user: { ...state.user, ...userdata },
    contact: contactOf(state, userdata),
    conversation: { id: state.id, started: new Date(state.started).toISOString() },
    channel: state.channel.type,
    bot: { name: settings.bot.name, environment: settings.bot.environment, locale: settings.bot.locale },
    intent: state.intent,
    entities: state.entities,
    tags: [...state.tags],
    handler: state.handler,
    agent: state.agent,
    campaign: state.campaign ?? {},
    now: new Date(turn.now).toISOString(),
  }
}

/**
 * The values that expressions of the running block read, by name: the nearest wins. Masked answers are left
 * out unless `masked` asks for them, which calls and scripts alone may do.
 */
export const contextOf = (turn: Turn, { masked = false }: { readonly masked?: boolean } = {}): JsonObject => {
  const { state, settings } = turn
  const frame = topFrame(state)
  const readable = (values: JsonObject): JsonObject =>
    masked ? values : record(Object.entries(values).filter(([name]) => !state.masked.includes(name)))
  const userdata = readable(state.userdata)
  const values = readable({
    ...builtIn(turn, userdata),
    ...settings.globals,
    ...userdata,
    ...state.variables,
    ...(frame === undefined ? {} : sharedWith(state, frame)),
    ...(frame === undefined ? {} : holderOf(state, frame).locals),
  })
  return { ...values, context: values }
}

/** The declaration of a variable that the running dialog means by a name: the nearest one. */
export const declarationOf = (turn: Turn, name: string): VariableSetting | undefined => {
  const frame = topFrame(turn.state)
  const root = rootName(name)
  const named = turn.settings.variables.filter(
    variable =>
      variable.name === root &&
      (variable.task === null || variable.task === frame?.task) &&
      (variable.dialog === null || variable.dialog === frame?.dialog),
  )
  return (
    named.find(({ dialog }) => dialog !== null) ??
    named.find(({ task }) => task !== null) ??
    named.find(({ scope }) => scope === 'dialog') ??
    named[0]
  )
}

/** A value by its name, which may lead into one (`order.total`); undefined where there is none. */
export const valueNamed = (context: JsonObject, name: string): Json | undefined => {
  let value: Json | undefined = context
  for (const part of name.trim().split(/[.[\]]+/u)) {
    if (part === '') continue
    if (typeof value !== 'object' || value === null) return undefined
    value = Array.isArray(value) ? value[Number(part)] : own(value as JsonObject, part)
  }
  return value
}

export const readVariable = (turn: Turn, name: string): Json | undefined =>
  name === '' ? undefined : valueNamed(contextOf(turn, { masked: true }), name)

/** Infinite for a value that is nested too deeply to be written. */
const sizeOf = (value: Json): number => {
  try {
    return JSON.stringify(value).length
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return Number.POSITIVE_INFINITY
    throw error
  }
}

/** `made` takes the place of `held`; the values of all dialogs, of the conversation and of the person count together. */
const fits = ({ state }: Turn, name: string, held: JsonObject, made: JsonObject): boolean => {
  if (sizeOf(own(made, rootName(name)) ?? null) > TURN_LIMITS.variable) return false
  const holders = [state.variables, state.userdata, ...state.frames.map(({ locals }) => locals)]
  const others = holders.reduce((sum, holder) => sum + (holder === held ? 0 : sizeOf(holder)), 0)
  return sizeOf(made) + others <= TURN_LIMITS.variables
}

/**
 * Stores a value in its declared scope: the frame, the conversation or the person. Undeclared names belong
 * to the conversation. Too large values are not stored.
 */
export const assignVariable = (turn: Turn, name: string, value: Json): boolean => {
  const frame = topFrame(turn.state)
  const scope = declarationOf(turn, name)?.scope ?? 'conversation'
  const holder = frame === undefined ? undefined : holderOf(turn.state, frame)
  const local = scope === 'dialog' && holder !== undefined
  const held = local ? holder.locals : scope === 'user' ? turn.state.userdata : turn.state.variables
  const made = withAssigned(held, name.trim(), value)
  if (made === held) {
    recordProblem(turn, 'variable.name', name)
    return false
  }
  if (!fits(turn, name, held, made)) {
    recordProblem(turn, 'variable.size', name)
    return false
  }
  if (local) replaceFrame(turn, { ...holder, locals: made })
  else turn.state = { ...turn.state, [scope === 'user' ? 'userdata' : 'variables']: made }
  turn.step?.wrote.add(rootName(name))
  return true
}
