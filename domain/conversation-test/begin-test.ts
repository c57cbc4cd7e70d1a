import type { CompiledBlock, CompiledFlow, Release, TurnSettings } from '#domain/conversation/release.ts'
import { type ConversationState, type Frame, newConversation } from '#domain/conversation/state.ts'
import { isCalled } from './check-names.ts'
import { TestFailure } from './test-result.ts'
import type { TestGiven } from './test-schema.ts'

/** The bot under test. */
export interface TestBot {
  readonly release: Release
  readonly settings: TurnSettings
  /** Names of dialogs by id, for tests that begin at one. */
  readonly dialogs: ReadonlyMap<string, string>
}

/** The clock of a test that names no moment: a Tuesday, 10:00 in São Paulo. */
const MOMENT = Date.parse('2026-05-05T13:00:00Z')

export const beginningOf = ({ now }: TestGiven): number => (now === undefined ? MOMENT : Date.parse(now))

const blockIn = (flow: CompiledFlow, name: string): CompiledBlock | undefined =>
  [...flow.blocks.values()].find(({ id, title }) => isCalled({ id, name: title }, name))

/** The dialog of a test: named directly, the main dialog of a task, or the dialog of a block. */
const flowOf = (
  { task, dialog, block }: TestGiven,
  { release, settings, dialogs }: TestBot,
): CompiledFlow | undefined => {
  const flows = [...release.dialogs.values()]
  if (dialog !== undefined) return flows.find(({ dialog: id }) => isCalled({ id, name: dialogs.get(id) ?? '' }, dialog))
  if (task === undefined) return flows.find(flow => block !== undefined && blockIn(flow, block) !== undefined)
  const principal = taskCalled(settings, task)?.principal ?? undefined
  return principal === undefined ? undefined : release.dialogs.get(principal)
}

export const taskCalled = (settings: TurnSettings, name: string) =>
  [...settings.tasks.values()].find(task => isCalled(task, name))

/** Start of the conversation in a test; undefined for a new conversation of the bot. */
const firstFrame = (given: TestGiven, bot: TestBot): Frame | undefined => {
  const { task, dialog, block } = given
  const named = block ?? dialog ?? task
  if (named === undefined) return undefined
  const flow = flowOf(given, bot)
  const first = flow === undefined || block === undefined ? flow?.start : blockIn(flow, block)?.id
  if (flow === undefined || !first) throw new TestFailure('begin', named, null)
  return {
    id: 1,
    kind: 'root',
    task: task === undefined ? null : (taskCalled(bot.settings, task)?.id ?? null),
    dialog: flow.dialog,
    block: first,
    locals: {},
    returns: null,
    shared: { sub: [], task: [] },
  }
}

/** The dialog that a test begins in; undefined where it is not known before it runs. */
export const startDialogOf = (given: TestGiven, bot: TestBot): string | undefined => {
  const { task, dialog, block } = given
  if ((block ?? dialog ?? task) !== undefined) return flowOf(given, bot)?.dialog
  const { tasks, defaultTask } = bot.settings
  return (defaultTask === null ? undefined : tasks.get(defaultTask)?.principal) ?? undefined
}

/** The conversation before its first turn. */
export const newTestConversation = (given: TestGiven, bot: TestBot, now: number): ConversationState => {
  const { channel = 'webchat', locale, user = {}, userdata = {}, variables = {} } = given
  const frame = firstFrame(given, bot)
  const state = newConversation({
    id: 'test',
    started: now,
    channel: { id: channel, type: channel },
    user: { id: 'test', ...user },
    locale: locale ?? bot.settings.bot.locale,
    userdata,
  })
  return { ...state, variables, ...(frame === undefined ? {} : { frames: [frame], pushed: 1 }) }
}
