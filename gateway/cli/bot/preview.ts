import { type BotThing, nameOf } from '#domain/bot-folder/bot-file.ts'
import { PARSERS, PATH_PARSERS } from '#domain/expression/engine.ts'
import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { lintExpressions } from '#domain/flow/lint/lint-expression.ts'
import { lintError, lintFlow } from '#domain/flow/lint/lint-flow.ts'
import { declaredVariables } from '#domain/flow/variable/variable-fit.ts'
import { fieldErrorText } from '#runtime/localized-text.ts'
import { FLOW_FORMAT, FLOW_VERSION, type FlowFile } from '#schemas/flow/file.ts'
import { optionalText, textAt } from '#schemas/json.ts'
import { changedFields } from './bot-folder.ts'

/** A change that a push makes, as it is printed. */
export interface Change {
  readonly entity: string
  /** Null for something new. */
  readonly id: string | null
  readonly name: string
  readonly path: string | null
  readonly state: 'added' | 'changed' | 'removed'
  /** Names of changed fields. */
  readonly fields: readonly string[]
  readonly blocks?: {
    readonly added: readonly string[]
    readonly changed: readonly string[]
    readonly removed: readonly string[]
  }
  /** Count of links that differ. */
  readonly links?: number
  /** Blocks that only moved. */
  readonly moved?: number
  readonly script?: boolean
  /** Errors that stop publishing. */
  readonly findings?: readonly { readonly block: string; readonly message: string }[]
}

const EMPTY: FlowFile = { format: FLOW_FORMAT, version: FLOW_VERSION, operators: {}, links: {} }

const titleOf = ({ id, type, title }: { readonly id: string; readonly type: string; readonly title: string }) =>
  title || type || id

const flowChange = (before: BotThing | undefined, after: BotThing) => {
  if (after.flow === undefined) return {}
  const { nodes, links } = diffFlows(before?.flow ?? EMPTY, after.flow)
  const isMove = (changes: readonly { readonly path: string }[]) => changes.every(({ path }) => path === 'pos')
  return {
    blocks: {
      added: nodes.added.map(titleOf),
      changed: nodes.changed.filter(({ changes }) => !isMove(changes)).map(titleOf),
      removed: nodes.removed.map(titleOf),
    },
    links: links.added.length + links.removed.length + links.changed.length,
    moved: nodes.changed.filter(({ changes }) => isMove(changes)).length,
    script: (before?.js ?? '') !== (after.js ?? ''),
  }
}

export const hasFlowChange = (before: BotThing | undefined, after: BotThing): boolean => {
  const { blocks, links, moved, script } = flowChange(before, after)
  return Boolean(links || moved || script || Object.values(blocks ?? {}).some(titles => titles.length > 0))
}

/** Errors in a drawing that the whole bot of the folder shows; the server has the last word when it publishes. */
const findingsOf = async (thing: BotThing, all: readonly BotThing[]): Promise<NonNullable<Change['findings']>> => {
  if (thing.flow === undefined) return []
  const ids = (entity: string) =>
    new Set(all.flatMap(one => (one.entity === entity && one.id !== undefined ? [one.id] : [])))
  const variables = all.flatMap(({ entity, fields }) =>
    entity === 'variable'
      ? [
          {
            name: textAt(fields, 'name'),
            datatype: optionalText(fields.datatype),
            schema: optionalText(fields.schema),
            task: optionalText(fields.task),
            dialog: optionalText(fields.dialog),
          },
        ]
      : [],
  )
  const declared = declaredVariables(variables, {
    task: thing.task,
    dialog: thing.entity === 'dialog' ? thing.id : undefined,
  })
  const known = { dialog: ids('dialog'), dialogtask: ids('dialogtask'), handler: ids('handler'), declared }
  const bot = all.find(({ entity }) => entity === 'bot')?.fields ?? {}
  const settings = {
    parser: PARSERS.find(name => name === bot.expressionparser) ?? PARSERS[0],
    pathParser: PATH_PARSERS.find(name => name === bot.jsonpathparser) ?? PATH_PARSERS[0],
  }
  const flow = readFlow(importFlow(thing.flow))
  const found = [...lintFlow(flow, known), ...(await lintExpressions(flow, settings, known))]
  return found
    .filter(({ severity }) => severity === 'error')
    .map(one => ({ block: one.block, message: fieldErrorText(lintError(flow, one), 'en') }))
}

/** @param all everything of the bot as it would be then */
export const changeOf = async (
  before: (BotThing & { readonly id: string }) | undefined,
  after: BotThing | undefined,
  path: string | null,
  all: readonly BotThing[],
): Promise<Change> => {
  const thing = after ?? before
  if (thing === undefined) throw new Error('A change needs one of its sides')
  const head = { entity: thing.entity, id: before?.id ?? null, name: nameOf(thing), path }
  if (after === undefined) return { ...head, state: 'removed', fields: [] }
  return {
    ...head,
    state: before === undefined ? 'added' : 'changed',
    fields: before === undefined ? [] : changedFields(before, after),
    ...flowChange(before, after),
    ...(after.flow === undefined ? {} : { findings: await findingsOf(after, all) }),
  }
}

const MARK = { added: '+', changed: '~', removed: '-' } as const

const listed = (mark: string, titles: readonly string[]) => titles.map(title => `${mark} ${title}`)

/** Lines of a preview. */
export const changeLines = (change: Change): readonly string[] => {
  const { entity, name, state, fields, blocks, links = 0, moved = 0, script, findings = [] } = change
  const details = [
    ...(fields.length === 0 ? [] : [`fields: ${fields.join(', ')}`]),
    ...listed('+ block', blocks?.added ?? []),
    ...listed('~ block', blocks?.changed ?? []),
    ...listed('- block', blocks?.removed ?? []),
    ...(links === 0 ? [] : [`links: ${links} differ`]),
    ...(moved === 0 ? [] : [`layout: ${moved} blocks moved`]),
    ...(script === true ? ['code changed'] : []),
    ...findings.map(({ message }) => `! stops publishing: ${message}`),
  ]
  return [`${MARK[state]} ${entity} "${name}"`, ...details.map(detail => `    ${detail}`)]
}
