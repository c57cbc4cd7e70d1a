import type { ParserName, PathParserName } from '#domain/expression/engine.ts'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'

/** A block as it is run. */
export interface CompiledBlock {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly properties: JsonObject
  /** The block that each linked output leads to, by connector. */
  readonly next: ReadonlyMap<string, string>
}

/** A dialog at one revision. */
export interface CompiledFlow {
  readonly dialog: string
  readonly revision: number
  /** The block where it begins; null where it has none. */
  readonly start: string | null
  /** It has markers of goals; without one its ends are its goals. */
  readonly hasGoals: boolean
  readonly blocks: ReadonlyMap<string, CompiledBlock>
}

export interface ReleasedHandler {
  readonly id: string
  readonly name: string
  readonly revision: number
  readonly source: string
  readonly slow: boolean
}

/** Published content that a bot runs at one time. */
export interface Release {
  readonly dialogs: ReadonlyMap<string, CompiledFlow>
  readonly handlers: ReadonlyMap<string, ReleasedHandler>
  /** Hash of the model that understands; without one it is the one in production. */
  readonly nlumodel?: string | null
}

/** A task as it is read at the beginning of a turn. */
export interface TaskSetting {
  readonly id: string
  readonly name: string
  readonly principal: string | null
  readonly utterances: readonly string[]
}

export type MappingTarget =
  | { readonly action: 'calltask'; readonly task: string }
  | { readonly action: 'calldialog'; readonly dialog: string }
  | { readonly action: 'callhandler'; readonly handler: string }
  | { readonly action: 'randomresponses'; readonly responses: readonly string[] }

/** Trigger, scope and resulting action. */
export interface MappingSetting {
  readonly type: 'intent' | 'intentgroup' | 'usermessage' | 'channelpayload'
  /** The intents, the text or the payload that it is for. */
  readonly of: readonly string[]
  readonly level: 'bot' | 'task' | 'dialog'
  /** The task or dialog of its level; null for the whole bot. */
  readonly within: string | null
  readonly offOnPrompts: boolean
  readonly target: MappingTarget
}

/** A variable as the bot declares it. */
export interface VariableSetting {
  readonly name: string
  readonly scope: 'dialog' | 'conversation' | 'user'
  readonly datatype: string
  /** Id of its variable schema, or name of a system schema; null for any value. */
  readonly schema: string | null
  readonly task: string | null
  readonly dialog: string | null
}

/** Settings without a publish step, read at the start of each turn. */
export interface TurnSettings {
  readonly bot: { readonly id: string; readonly name: string; readonly environment: string; readonly locale: string }
  readonly parser: ParserName
  readonly pathParser: PathParserName
  readonly timezone: string
  readonly defaultTask: string | null
  readonly fallbackTask: string | null
  readonly afterAgentTask: string | null
  /** A dialog instead of the task's principal one. */
  readonly afterAgentDialog?: string | null
  /** ms between two messages of a block with `enableDelay`. */
  readonly stepDelay: number
  /** Buttons of older messages cannot be pressed. */
  readonly newestButtonsOnly: boolean
  readonly nlu: {
    readonly enabled: boolean
    readonly offOnPrompts: boolean
    readonly fuzzy: boolean
    /** From 0 to 1; null leaves it to the model. */
    readonly intentConfidence: number | null
    readonly entityConfidence: number | null
    readonly brain: boolean
  }
  readonly agentEnabled: boolean
  /** ms; 0 turns it off. */
  readonly userTimeout: number
  readonly endTimeout: number
  /** Names of intents. */
  readonly affirm: string
  readonly deny: string
  readonly cancel: string
  readonly goback: string
  readonly tasks: ReadonlyMap<string, TaskSetting>
  readonly mappings: readonly MappingSetting[]
  readonly variables: readonly VariableSetting[]
  /** Global variables that are no secrets. */
  readonly globals: JsonObject
  /** The bot's messages by code, in the conversation's language. */
  readonly messages: ReadonlyMap<string, string>
  /** JSON schemas that values of variables fit, by id or name. */
  readonly schemas: ReadonlyMap<string, Json>
  /** Texts that a model offers as answers, by intent. */
  readonly responses: ReadonlyMap<string, readonly string[]>
}

export const isGoalMarker = ({ type, properties }: Pick<CompiledBlock, 'type' | 'properties'>): boolean =>
  type === 'marker' && properties.goal === true

/** From the top, then from the left, then by id: the order in which a person reads a drawing. */
const byPlace = (a: NodeModel, b: NodeModel): number => a.y - b.y || a.x - b.x || (a.id < b.id ? -1 : 1)

/**
 * A flow as the interpreter runs it. Of several links from one output the one to the topmost block counts, and of several
 * starts the topmost.
 */
export const compileFlow = (dialog: string, revision: number, flow: FlowModel): CompiledFlow => {
  const nodes = [...flow.nodes.values()].filter(node => blockOf(node.type)?.runs !== false).sort(byPlace)
  const order = new Map(nodes.map((node, place) => [node.id, place]))
  const next = new Map<string, Map<string, string>>(nodes.map(node => [node.id, new Map()]))
  const links = [...flow.links.values()].sort((a, b) => (order.get(a.to) ?? 0) - (order.get(b.to) ?? 0))
  for (const { from, fromConnector, to } of links) {
    const outputs = next.get(from)
    if (order.has(to) && outputs !== undefined && !outputs.has(fromConnector)) outputs.set(fromConnector, to)
  }
  const compiled = ({ id, type, title, properties }: NodeModel): CompiledBlock => ({
    id,
    type,
    title,
    properties,
    next: next.get(id) ?? new Map(),
  })
  return {
    dialog,
    revision,
    start: nodes.find(node => node.type === 'start')?.id ?? null,
    hasGoals: nodes.some(isGoalMarker),
    blocks: new Map(nodes.map(node => [node.id, compiled(node)])),
  }
}
