import { type OpenedEngines, openEngines } from '#domain/expression/template-check.ts'
import { findInText } from '#domain/flow/find-in-block.ts'
import { finderOf, type Wanted } from '#domain/flow/find-text.ts'
import { type HitBlock, hitAt } from '#domain/flow/hit-at.ts'
import { calledBy, callersOf } from '#domain/flow/sub-dialog.ts'
import { variableUses } from '#domain/flow/variable-use.ts'
import type { FlowHit, FlowHits } from '#schemas/api/flow-text.ts'
import type { Tools } from '../tools.ts'
import { liveChildren } from '../version/take.ts'
import { type BotFlow, flowsOfBot } from './bot-flow.ts'
import { type BlockContent, createFlowContents, type FlowContent } from './flow-content.ts'
import { expressionSettingsOf } from './known-references.ts'
import { pauses } from './pauses.ts'

/** Which flows of a bot are looked through: of kinds that the caller may read. */
export interface FlowsAsked {
  readonly bot: string
  readonly dialogtask?: string | undefined
  readonly may: (kind: BotFlow['kind']) => boolean
}

export type UseOf =
  | { readonly variable: string }
  | { readonly to: 'dialog' | 'handler' | 'dialogtask'; readonly id: string }

/** Looks through the live flows of a bot. */
export interface FlowReader {
  usesInFlows(asked: FlowsAsked, of: UseOf): Promise<FlowHits>
  findInFlows(asked: FlowsAsked, wanted: Wanted): Promise<FlowHits>
  /** Ids of dialogs that come to run this one as a sub-dialog, itself where it runs itself. */
  callersOf(asked: FlowsAsked, dialog: string): Promise<readonly string[]>
  unusedVariables(asked: FlowsAsked): Promise<readonly { readonly id: string; readonly name: string }[]>
}

/** Hits that are answered; more are counted alone. */
const MOST_HITS = 2000

type Look = (block: BlockContent) => readonly FlowHit[]

const namesOf = ({ id, type, title, section }: BlockContent): HitBlock => ({ block: id, type, title, section })

const targetHit = (block: BlockContent): FlowHit => ({
  ...namesOf(block),
  field: '',
  path: [],
  offset: 0,
  length: 0,
  part: 'target',
  before: '',
  text: '',
  after: '',
})

export const flowReader = (tools: Tools): FlowReader => {
  const contentOf = createFlowContents(tools.flows)

  /** Each flow asked for, one after the other; whoever goes through them pauses within. */
  async function* contents({ bot, dialogtask, may }: FlowsAsked): AsyncGenerator<readonly [BotFlow, FlowContent]> {
    for (const flow of await flowsOfBot(tools, bot, dialogtask)) {
      if (may(flow.kind)) yield [flow, await contentOf(flow.id)]
    }
  }

  const collect = async (asked: FlowsAsked, look: Look): Promise<FlowHits> => {
    const items: FlowHits['items'] = []
    let total = 0
    const pause = pauses()
    for await (const [flow, { revision, blocks }] of contents(asked)) {
      const hits: FlowHit[] = []
      for (const block of blocks) {
        const found = look(block)
        hits.push(...found.slice(0, Math.max(0, MOST_HITS - total)))
        total += found.length
        await pause()
      }
      if (hits.length > 0) items.push({ ...flow, revision, hits })
    }
    return { items, total }
  }

  const readingOf = async (
    bot: string,
  ): Promise<{ parser: 'Jexl' | 'ExprEval' | 'JsonAta'; engines: OpenedEngines }> => {
    const { parser } = await expressionSettingsOf(tools, bot)
    return { parser, engines: await openEngines([parser, 'JSONPath']) }
  }

  return {
    async usesInFlows(asked, of) {
      if ('to' in of) {
        const leads = ({ targets }: BlockContent) => targets.some(({ to, id }) => to === of.to && id === of.id)
        return collect(asked, block => (leads(block) ? [targetHit(block)] : []))
      }
      const { parser, engines } = await readingOf(asked.bot)
      return collect(asked, block =>
        block.texts
          .filter(({ text }) => text.includes(of.variable))
          .flatMap(text =>
            variableUses(text, parser, engines)
              .filter(({ name }) => name === of.variable)
              .map(({ place }) => hitAt(namesOf(block), text, place, 'expression')),
          ),
      )
    },

    async findInFlows(asked, wanted) {
      const find = finderOf(wanted)
      const { parser } = await expressionSettingsOf(tools, asked.bot)
      return collect(asked, block =>
        block.texts.flatMap(text =>
          findInText(text, find, parser).map(({ part, ...place }) => hitAt(namesOf(block), text, place, part)),
        ),
      )
    },

    async callersOf(asked, dialog) {
      const calls = new Map<string, readonly string[]>()
      for await (const [{ id }, { blocks }] of contents(asked)) calls.set(id, blocks.flatMap(calledBy))
      return [...callersOf(calls, dialog)]
    },

    async unusedVariables(asked) {
      const variables = await liveChildren(tools, 'bot', asked.bot, 'variable')
      const named = Map.groupBy(variables, ({ fields }) => String(fields.name ?? ''))
      const { parser, engines } = await readingOf(asked.bot)
      const pause = pauses()
      for await (const [, { blocks }] of contents(asked)) {
        for (const { texts } of blocks) {
          for (const text of texts) {
            if (![...named.keys()].some(name => text.text.includes(name))) continue
            for (const { name } of variableUses(text, parser, engines)) named.delete(name)
            await pause()
          }
        }
        if (named.size === 0) break
      }
      return [...named].flatMap(([name, same]) => same.map(({ id }) => ({ id, name })))
    },
  }
}
