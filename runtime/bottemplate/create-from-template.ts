import type { Commands } from '#commands/command-handler.ts'
import { derivedId } from '#commands/pipeline/append.ts'
import type { Caller } from '#commands/port.ts'
import { looseTestFile } from '#domain/conversation-test/test-file.ts'
import type { ReadModels } from '#projections/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { drawFlow } from '../sample/draw-flow.ts'
import { BOT_TEMPLATES } from './bot-templates.ts'

interface FromTemplate {
  readonly commands: Pick<Commands, 'execute'>
  readonly read: Pick<ReadModels, 'reached'>
  readonly key: string
  readonly language: Language
  /** Name of the bot. */
  readonly name: string
  readonly level: string
  readonly caller: Caller
  /** All ids follow from it, so that a repeated request makes nothing twice. */
  readonly seed: string
}

/** Needed to make a whole bot. */
const NEEDED = ['createbot', 'createdialogtask', 'createdialog', 'updatedialog', 'createvariable'] as const

/** Default locales: the store has no Spanish. */
const LOCALES: Readonly<Record<Language, string>> = { pt: 'pt', en: 'en', es: 'en' }

const CHAT_NAMES: Readonly<Record<Language, string>> = { pt: 'Chat do site', en: 'Web chat', es: 'Chat del sitio' }

/** Makes a bot from a template: its task, dialog, variables, web chat and tests. It publishes nothing. */
export const createFromTemplate = async (
  given: FromTemplate,
): Promise<Result<{ readonly bot: string; readonly dialog: string }>> => {
  const { commands, read, key, language, name, level, caller, seed } = given
  const written = BOT_TEMPLATES.find(template => template.key === key)
  if (written === undefined) return refused('entity.notfound')
  if (NEEDED.some(permission => !caller.permits(permission))) return refused('access.forbidden')
  const { variables } = written
  const { sketch, tests, description, segment, task } = written.write(language)
  let fault: Result<never> | undefined
  /** Id of what was made or changed; empty after a refusal, which ends it. */
  const run = async (entity: string, action: string, input: JsonObject, id = '', what = ''): Promise<string> => {
    if (fault !== undefined) return ''
    const own = derivedId(seed, `${action} ${entity} ${what}`)
    const outcome = await commands.execute({ entity, action, id, input, caller, correlation: seed, seed: own })
    if (!outcome.ok) {
      fault = outcome
      return ''
    }
    // The next one refers to it.
    if (outcome.position !== undefined) await read.reached(outcome.position)
    return outcome.id
  }
  const bot = await run('bot', 'create', {
    ...{ hierarchylevel: level, name, description, segment },
    ...{ language, defaultlocale: LOCALES[language] },
  })
  const dialogtask = await run('dialogtask', 'create', { bot, name: task, description })
  const dialog = await run('dialog', 'create', { dialogtask, name: task, description })
  await run('dialogtask', 'change', { principaldialog: dialog }, dialogtask)
  await run('bot', 'change', { defaultdialogtask: dialogtask }, bot)
  for (const [variable, datatype] of variables)
    await run('variable', 'create', { bot, name: variable, datatype, scope: 'conversation' }, '', variable)
  const { file } = drawFlow(sketch, { start: 'start', idOf: (_, id) => id })
  await run('dialog', 'importflow', { flow: file as unknown as Json }, dialog)
  if (caller.permits('createchannel'))
    await run('channel', 'create', { bot, type: 'webchat', name: CHAT_NAMES[language] })
  if (caller.permits('createconversationtest'))
    for (const test of tests)
      await run('conversationtest', 'create', { bot, name: test.name, file: looseTestFile(test) }, '', test.name)
  return fault ?? accepted({ bot, dialog })
}
