import type { Commands } from '#commands/command-handler.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { own, record } from '#schemas/json.ts'

/** A level and its ancestors, root first: later levels override earlier ones. */
export const levelChain = async (read: ReadModels, level: string): Promise<readonly string[]> => {
  const parents = new Map((await read.levels(SYSTEM_SCOPE)).map(({ id, parent }) => [id, parent]))
  const chain: string[] = []
  for (let at: string | null | undefined = level; at && !chain.includes(at); at = parents.get(at)) chain.unshift(at)
  return chain
}

/** The global variables that a bot reads, by name: its own, else those of the nearest level that has one. */
export const globalVariables = async (
  read: ReadModels,
  bot: RowOf<'bot'>,
): Promise<ReadonlyMap<string, RowOf<'globalvariable'>>> => {
  const [levels, rows] = await Promise.all([
    levelChain(read, bot.hierarchylevel ?? ''),
    allRows(read, SYSTEM_SCOPE, 'globalvariable'),
  ])
  const ofLevels = levels.flatMap(level => rows.filter(row => row.hierarchylevel === level && row.bot === null))
  const owned = rows.filter(row => row.bot === bot.id)
  return new Map([...ofLevels, ...owned].map(row => [row.name, row] as const))
}

/** Decrypted values of the secret ones, for calls only (RUNTIME 45). */
export const secretVariables = async (
  read: ReadModels,
  commands: Pick<Commands, 'openFields'>,
  bot: RowOf<'bot'>,
): Promise<JsonObject> => {
  const secret = [...(await globalVariables(read, bot))].filter(([, row]) => row.secret)
  const opened = await Promise.all(
    secret.map(async ([name, { id }]) => {
      const fields = await commands.openFields('globalvariable', id)
      return fields === undefined ? [] : [[name, own(fields, 'value') ?? null] as const]
    }),
  )
  return record(opened.flat())
}
