import { type BotThing, nameOf } from '#domain/bot-folder/bot-file.ts'
import { type ExitCode, type Run, WrongUsage } from '../command.ts'
import { connect } from './api-client.ts'
import { type LocalBot, readBotFolder, writeBotFolder } from './bot-folder.ts'
import {
  type Conflict,
  conflictLines,
  conflictOf,
  isEdited,
  isEqual,
  isNewer,
  type Pair,
  pairsOf,
  type RemoteBot,
  readRemoteBot,
} from './remote-bot.ts'

/** `parley pull`. */
export const pull: Run = async input => {
  const [folder = ''] = input.operands
  const { bot, force, json } = input.options
  const api = connect(input)
  const local = readBotFolder(folder)
  if (local === undefined && typeof bot !== 'string') throw new WrongUsage('The bot is missing: --bot <id>.')
  if (local !== undefined && typeof bot === 'string' && bot !== local.bot)
    throw new WrongUsage(`The folder has the bot ${local.bot}, not ${bot}.`)
  const remote = await readRemoteBot(api, local?.bot ?? String(bot))
  const pairs = pairsOf(local?.things ?? [], remote, local?.base ?? new Map())
  const conflicts = pairs.filter(pair => !isEqual(pair) && isNewer(pair) && isEdited(pair)).map(conflictOf)
  const refused = conflicts.length > 0 && force !== true
  const counts = countsOf(pairs, force === true)
  const takes = (pair: Pair) => !isEdited(pair) || (isNewer(pair) && force === true)
  if (!refused) settle(folder, local, remote, { takes, knows: takes })
  if (json === true) process.stdout.write(`${JSON.stringify({ written: !refused, ...counts, conflicts })}\n`)
  else print(folder, { refused, conflicts, counts, name: nameOf([...remote.values()][0]?.thing as BotThing) })
  return refused ? 4 : 0
}

interface Counts {
  readonly things: number
  /** Taken from the server. */
  readonly taken: number
  /** Changes of the folder that it keeps. */
  readonly kept: number
}

const countsOf = (pairs: readonly Pair[], force: boolean): Counts => {
  const differing = pairs.filter(pair => !isEqual(pair))
  const taken = differing.filter(pair => !isEdited(pair) || (isNewer(pair) && force))
  return {
    things: pairs.filter(({ remote }) => remote !== undefined).length,
    taken: taken.length,
    kept: differing.length - taken.length,
  }
}

interface Pulled {
  readonly refused: boolean
  readonly conflicts: readonly Conflict[]
  readonly counts: Counts
  readonly name: string
}

const print = (folder: string, { refused, conflicts, counts, name }: Pulled): ExitCode => {
  if (refused) {
    const help = 'Nothing was written. Undo the changes of these files, or take what the server has with --force.'
    process.stderr.write(`Both sides changed:\n${conflictLines(conflicts)}${help}\n`)
    return 4
  }
  const kept = counts.kept === 0 ? '' : `, changes of the folder kept: ${counts.kept}`
  process.stdout.write(`${name}: ${counts.things} files in ${folder}, taken from the server: ${counts.taken}${kept}\n`)
  return 0
}

interface Settlement {
  /** Whether the folder gets what the server has. */
  takes(pair: Pair): boolean
  /** Whether the folder is from now on compared with what the server has. */
  knows(pair: Pair): boolean
}

/** Brings the folder to what the server has where it is to, and remembers what both have. */
export const settle = (
  folder: string,
  local: LocalBot | undefined,
  remote: RemoteBot,
  { takes, knows }: Settlement,
): void => {
  const locals = local?.things ?? []
  const pairs = pairsOf(locals, remote, local?.base ?? new Map())
  const after = pairs.flatMap(pair => {
    const chosen = isEqual(pair) || !takes(pair) ? pair.local?.thing : pair.remote?.thing
    return chosen === undefined ? [] : [chosen]
  })
  const fresh = locals.flatMap(({ thing }) => (thing.id === undefined ? [thing] : []))
  const base = pairs.flatMap(pair => {
    const hashes = isEqual(pair) || knows(pair) ? pair.remote?.hashes : pair.base
    return hashes === undefined ? [] : [[pair.id, hashes] as const]
  })
  writeBotFolder(folder, locals, [...after, ...fresh], new Map(base))
}
